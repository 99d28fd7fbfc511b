"""The documents are true: their files are written, their commands and Python run, their output compared."""

from __future__ import annotations

import os
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from documents import CHECKOUT, Block, Reader, blocks, commands, missing_line
from marks import for_each, only, slow, some
from served import serving

DOCUMENTS = [
    "README.md",
    "CONTRIBUTING.md",
    *(
        path.relative_to(CHECKOUT).as_posix()
        for path in (CHECKOUT / "docs").rglob("*.md")
        if "reference" not in path.parts
    ),
]
# Pages whose commands take seconds. They use what shorter pages use as well.
LONG = {
    *("docs/articulation.md", "docs/challenges.md", "docs/gallery.md", "docs/named-entities.md"),
    *("docs/how-to/score.md", "docs/how-to/compare.md", "docs/how-to/databases.md", "docs/how-to/documents.md"),
    *("docs/scaling.md", "docs/start/challenge.md", "docs/start/metric.md", "docs/start/sql.md"),
    *("docs/start/submission.md", "docs/tde2015.md", "docs/your-own-domain.md", "docs/plugins.md"),
    *("docs/quesst2015.md", "docs/term-detection.md", "docs/zerospeech2015.md", "docs/gate.md", "docs/reporting.md"),
    *("docs/resources.md", "docs/verification.md", "docs/term-discovery.md"),
}
NOT_RUN = ("make ", "pip install ", "pip uninstall ", "python3 -m venv ", "git ", "python -m build", ". ")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a command `scorespec` for shells."""
    with serving(tmp_path_factory.mktemp("served")) as folder:
        yield folder


@pytest.mark.parametrize("name", only({*DOCUMENTS} - LONG, sorted(DOCUMENTS)))
def test_document(name: str, tmp_path: Path, served: Path) -> None:
    Reader(tmp_path, served).follow(CHECKOUT / name)
    data = tmp_path / "tests" / "data"
    assert not data.exists() or _files(data) == _files(CHECKOUT / "tests" / "data"), "a page writes into the test data"


def _files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*")}


def test_only_what_sets_up_is_not_run() -> None:
    every = [block for name in DOCUMENTS for block in blocks(CHECKOUT / name) if block.language == "console"]
    for each in some(command for block in every if "no-run" in block.words for command in commands(block)):
        assert re.sub(r"^[A-Z_]+=\S+ ", "", each.command).startswith(NOT_RUN), each.command


def _prose(text: str) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S)


def test_links_lead_somewhere() -> None:
    pages = {name: _prose((CHECKOUT / name).read_text(encoding="utf-8")) for name in DOCUMENTS}
    links = [(name, link) for name, text in pages.items() for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)]
    made = runpy.run_path(str(CHECKOUT / "docs" / "generate_gallery.py"))["FIGURES"]
    pictures = {f"{name}.svg" for names in made.values() for name in names}
    for name, link in some(each for each in links if "reference/" not in each[1]):
        found = link.rpartition("pictures/figures/")[2] in pictures or (CHECKOUT / name).parent.joinpath(link).exists()
        assert found, f"{name}: {link}"


@for_each(name=sorted(DOCUMENTS))
def test_what_people_type_has_80_columns(name: str) -> None:
    """Output may be longer if a program prints it so, and a file of the checkout is shown as it is: both scroll."""
    typed = [
        line
        for block in blocks(CHECKOUT / name)
        if not block.words.keys() & {"answer", "from"} and block.language not in ("math", "text")
        for line in _typed(block)
    ]
    long = [line for line in typed if len(line) > 80]
    assert not long, "\n".join([name, *long])


def _typed(block: Block) -> list[str]:
    if block.language != "console":
        return block.text.splitlines()
    return [line for each in commands(block) for line in f"$ {each.command}".splitlines()]


def _anchors(text: str) -> set[str]:
    """The anchors of the headings of a page, as GitHub and the site make them."""
    found: dict[str, int] = {}
    anchors = set()
    for heading in re.findall(r"^#+ (.*)$", _prose(text), re.M):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-")
        anchors.add(f"{anchor}-{found[anchor]}" if anchor in found else anchor)
        found[anchor] = found.get(anchor, 0) + 1
    return anchors


def test_links_lead_to_headings(reference: dict[str, str]) -> None:
    written = {name: (CHECKOUT / name).read_text(encoding="utf-8") for name in DOCUMENTS}
    pages = written | {f"docs/reference/{name}": text for name, text in reference.items()}
    anchors = {name: _anchors(text) for name, text in pages.items()}
    for name, text in some(pages.items()):
        links = re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]+))?\)", _prose(text))
        targets = [(link, os.path.normpath(Path(name).parent / link) if link else name, at) for link, at in links]
        lost = [link for link, target, anchor in targets if anchor and anchor not in anchors[target]]
        lost += [
            link
            for link, target, _ in targets
            if "reference/" in link and target not in pages and "/notebooks/" not in target
        ]
        assert not lost, f"{name}: {lost}"


def test_make_comes_first_in_the_readme() -> None:
    installed = next(each for each in blocks(CHECKOUT / "README.md") if "make " in each.text)
    assert [each.command.split("#")[0].strip() for each in commands(installed)] == ["make demo", "make test"]


def test_the_order_of_the_search_replaces_that_of_sphinx() -> None:
    """Sphinx declares `var Scorer` in a script before, so that any other declaration is an error: nothing is found."""
    scorer = (CHECKOUT / "docs" / "website" / "static" / "scorer.js").read_text(encoding="utf-8")
    assert re.findall(r"(\w+) Scorer =", scorer) == ["var"]


def test_the_citation_is_of_this_version() -> None:
    from scorespec import __version__

    assert f"\nversion: {__version__}\n" in (CHECKOUT / "CITATION.cff").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The generated pages by name; of that on publications, whose numbers must be computed, the headings."""
    folder = tmp_path_factory.mktemp("reference")
    runpy.run_path(str(CHECKOUT / "docs" / "generate_reference.py"))["generate"](folder)
    from reference.published import DOCUMENTS

    pages = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.md")}
    return pages | {"what-the-publications-define.md": "".join(f"## {each.name}\n" for each in DOCUMENTS)}


def test_every_parameter_is_explained(reference: dict[str, str]) -> None:
    """By the generated page of its domain; those of transcripts by the pages, too."""
    from scorespec.catalog.lookup import load_catalog

    names = ("transcripts.md", "wer.md", "characters.md", "meetings.md", "named-entities.md")
    written = "".join((CHECKOUT / "docs" / page).read_text(encoding="utf-8") for page in names)
    for key in some(load_catalog().keys("parameters")):
        made = reference[f"{key.domain.replace('_', '-')}-names.md"]
        assert re.search(rf"^### .*\b{key.name}\b", made, re.M), key.name
        assert key.domain != "transcripts" or f"`{key.name}`" in written, key.name


def test_each_place_of_a_published_document_has_a_case(reference: dict[str, str]) -> None:
    """And each tag of a case is such a place, or the page would leave the case out."""
    from reference.published import tags

    from scorespec.catalog.build import read_as
    from scorespec.catalog.lookup import load_catalog
    from scorespec.catalog.model import Case

    cases = [case for each in load_catalog().documents for of in each.data.get("cases", {}).values() for case in of]
    assert tags() == {tag for case in cases for tag in read_as(Case, case).tags}


@pytest.mark.slow
def test_the_page_on_the_published_documents_has_both_numbers(reference: dict[str, str]) -> None:
    from reference.published import DOCUMENTS, published_page

    lines = [*published_page()]
    assert lines.count("| what it says | example | printed | ours |") == len(DOCUMENTS)
    [ssf] = [line for line in lines if line.startswith("| MediaEval 2013, section 4.3 SSF |")]
    assert ssf.startswith("| MediaEval 2013, section 4.3 SSF | 0.8 | **0.64** | 48 / 75 is 0.64.")


def _headings(page: str) -> set[str]:
    return set(re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page, flags=re.M | re.S), re.M))


def _sections(page: str) -> dict[str, list[str]]:
    """The texts below each heading of a page, up to the next heading, on one line each."""
    text = re.sub(r"^```.*?^```", lambda block: block[0].replace("\n#", "\n "), page, flags=re.M | re.S)
    parts = re.split(r"^#+ (.*)$", text, flags=re.M)
    found: dict[str, list[str]] = {}
    for heading, below in zip(parts[1::2], parts[2::2], strict=True):
        found.setdefault(heading, []).append(" ".join(below.split()))
    return found


def _flat(text: str) -> str:
    return " ".join(text.split())


def _cell(text: str) -> str:
    return _flat(text).replace("|", "\\|")


PAGES = {  # of the reference, by section
    "suites": "{domain}.md",
    "tables": "{domain}-tables.md",
    "parameters": "{domain}-names.md",
    "columns": "{domain}-names.md",
    "components": "{domain}-names.md",
    "macros": "{domain}-names.md",
    "relations": "{domain}-relations-{home}.md",
    "figures": "{domain}-relations-{home}.md",
    "reference_points": "{domain}-relations-{home}.md",
    "publications": "bibliography.md",
}


def test_reference_has_every_definition(reference: dict[str, str]) -> None:
    """Below its name stands what it is; below that of a table or relation, also what each column is."""
    from scorespec.catalog.lookup import SECTIONS, load_catalog

    assert {*PAGES, "metrics", "kinds"} == {*SECTIONS}  # the test of metrics is below, that of kinds too
    catalog = load_catalog()
    sections = {name: _sections(page) for name, page in reference.items()}
    for section, page in PAGES.items():
        for key in catalog.keys(section):
            name = page.format(domain=key.domain.replace("_", "-"), home=key.suite or "shared")
            here = sections[name if key.domain or section != "macros" else "macros.md"].get(key.name, [])
            each = catalog.definition(key)
            [text] = [below for below in here if _flat(each.about) in below][:1] or [""]
            assert text, f"{section} {key}"
            for column in each.columns if section in ("tables", "relations") else ():
                row = rf"\| `{column.name}` \|([^|]*\|){{0,2}} {re.escape(_cell(column.about))} \|"
                assert column.about, f"{key}.{column.name}"
                assert re.search(row, text), f"{key}.{column.name}"
    assert str(CHECKOUT) not in "".join(reference.values())


def test_reference_has_every_parameter_and_input_of_a_suite(reference: dict[str, str]) -> None:
    from scorespec.catalog.lookup import load_catalog

    catalog = load_catalog()
    for suite in some(map(catalog.suite, catalog.names("suites"))):
        page = reference[f"{suite.domain.replace('_', '-')}.md"]
        [text] = [each for each in _sections(page)[suite.name] if _flat(suite.about) in each]
        for name in (*suite.params, *suite.vary):
            assert f"| `{name}` | " in text, f"{suite.name}: {name}"
        assert suite.metrics
        for name in (*suite.inputs, *suite.optional, *suite.metrics, *suite.describe, *suite.keep, *suite.report):
            assert f"`{name}`" in text, f"{suite.name}: {name}"
        for name, layout in suite.layouts.items():
            assert f"* layout `{name}`: {_flat(layout.about)}" in text
        for name, point in suite.reference_points.items():
            assert f"* reference point `{name}`: {_flat(point.about)}" in text


def test_reference_has_every_format_function_and_kind(reference: dict[str, str]) -> None:
    from scorespec.catalog.lookup import load_catalog

    catalog = load_catalog()
    formats, functions, kinds = (_sections(reference[f"{name}.md"]) for name in ("formats", "functions", "kinds"))
    for known in some(catalog.plugins.formats.values()):
        [text] = formats[known.name]
        assert _flat(known.about)[1:] in text, known.name
        assert all(f"`{suffix}`" in text for suffix in known.suffixes), known.name
    for function in catalog.plugins.functions.values():
        assert _flat(function.about) in functions[function.name][0], function.name
        assert all(f" {setting} " in functions[function.name][0] for setting in function.settings), function.name
    for kind in catalog.kinds.values():
        assert _flat(kind.about) in kinds[kind.name][0], kind.name
        for key in kind.schema["properties"]:
            assert re.search(rf"\| `{key}` \| (yes)? ?\| [^|\s]", kinds[kind.name][0]), f"{kind.name}: {key}"


def test_every_metric_is_on_the_page_of_its_suite() -> None:
    from scorespec.catalog.lookup import load_catalog

    catalog = load_catalog()
    for suite in some(map(catalog.suite, catalog.names("suites"))):
        text = (CHECKOUT / "docs" / str(suite.page)).read_text(encoding="utf-8")
        assert f"`{suite.name}`" in text, suite.name
        for name in suite.metrics:
            assert f"`{name}`" in text or f"`{name}." in text, f"{suite.page}: {name}"


def test_reference_says_of_every_metric_what_it_means(reference: dict[str, str]) -> None:
    from scorespec.catalog.lookup import load_catalog
    from scorespec.plan.needs import components_of, expanded, needs_of
    from scorespec.show.definitions import nearest_first

    catalog = load_catalog()
    definitions: dict[tuple[str, str], int] = {}
    for key in some(catalog.keys("metrics")):
        metric, names = catalog.definition(key), catalog.home(key)
        page = reference[f"{key.domain.replace('_', '-')}/{key.name}.md"]
        sections = re.split(r"^## ", page, flags=re.M)
        head = f"{key.suite}.{key.name}\n" if key.suite else f"{key.name}, for all suites"
        [own] = [each for each in sections if each.startswith(head)]
        assert _flat(metric.about) in _flat(own.partition("\n### ")[0]), key
        components = components_of(expanded(metric, names.kinds[metric.kind]))
        for name, formula in components.items():
            meaning = names.component(metric, name)
            assert f"| `{name}` |" in own, f"{key}: {name}"
            assert _cell(meaning.about) in own, f"{key}: {name}"
            assert formula.strip('"') == name or "### As it is computed\n\n```math\n" in own, f"{key}: {name}"
        for cite in metric.cites:
            assert f"* source: {names.cited(cite)}" in own.replace("<", "").replace(">", ""), key
        needs = needs_of(names)
        sources = needs.relations_of(metric)
        for name in needs.parameters(sources):
            assert f"| `{name}` |" in own, f"{key}: {name}"
        for relation in nearest_first(needs, sources):
            assert f"* [`{relation.name}`](" in own, f"{key}: {relation.name}"
        definitions[key.domain, key.name] = definitions.get((key.domain, key.name), 0) + 1
    for (domain, name), count in definitions.items():
        differ = "\n## How the definitions differ\n\n| " in re.sub(
            r"\n\n+", "\n\n", reference[f"{domain.replace('_', '-')}/{name}.md"]
        )
        assert differ == (count > 1), f"{domain}/{name}"


def test_reference_has_every_case(reference: dict[str, str]) -> None:
    from scorespec.catalog.lookup import load_catalog

    documents = [each for each in load_catalog().documents if each.data.get("cases")]
    for document in some(documents):
        for metric, cases in some(document.data["cases"].items()):
            page = reference[f"{document.data['domain'].replace('_', '-')}/{metric}.md"]
            for index in some(range(len(cases))):
                place = document.place(("cases", metric, index))
                assert f"(`{place.path}:{place.line}`)" in page, f"{place.path}:{place.line}"


def test_reference_has_every_command_and_option(reference: dict[str, str]) -> None:
    from typer.main import get_command

    from scorespec.cli import app

    page = reference["commands.md"]
    sections = {each.partition("\n")[0]: each for each in re.split(r"^## ", page, flags=re.M)}

    def check(words: str, command: Any) -> None:
        for name, below in getattr(command, "commands", {}).items():
            check(f"{words} {name}", below)
        if not hasattr(command, "commands"):
            assert _flat(command.help) in _flat(sections[words]), words
            for parameter in (each for each in command.params if not getattr(each, "hidden", False)):
                called = parameter.opts[0] if parameter.param_type_name == "option" else parameter.name.upper()
                assert parameter.help, f"{words} {called}"
                row = rf"^\| `{re.escape(called)}`.* \| {re.escape(_cell(parameter.help))} \|$"
                assert re.search(row, sections[words], re.M), f"{words} {called}"

    check("scorespec", get_command(app))


def test_reference_has_every_table_and_column_of_results(reference: dict[str, str]) -> None:
    from scorespec.core.result_tables import TABLES

    sections = {each.partition("\n")[0]: each for each in re.split(r"^## ", reference["results.md"], flags=re.M)}
    for name, columns in some(TABLES.items()):
        assert re.match(r"\w+\n\n\w", sections[name]), name
        for column, kind in columns.items():
            assert re.search(rf"^\| `{column}` \| {re.escape(kind)} \| \S", sections[name], re.M), f"{name}.{column}"


def test_reference_has_every_name_of_the_package(reference: dict[str, str]) -> None:
    import scorespec

    assert {name for name in scorespec.__all__ if name != "__version__"} <= _headings(reference["python.md"])


def test_reference_tells_how_suites_differ(reference: dict[str, str]) -> None:
    text = reference["term-discovery-suites.md"]
    table = [
        line.strip("| ").split(" | ") for line in text.partition("## Parameters")[2].splitlines() if line[:1] == "|"
    ]
    rows = {row[0]: dict(zip(table[0], row, strict=True)) for row in table}
    values = {name: (row["`zerospeech2015`"], row["`zerospeech2017`"]) for name, row in rows.items()}
    assert values["`n_folds`"] == ("10", "0")
    assert values["`min_phones`"] == ("3", "—")
    assert values["`match_counts`"] == ("fragments; pairs in `matching_pairs`, `grouping_pairs`", "—")
    assert values["`edge_time`"] == ("—", "0.03 s")
    assert values["`edge_cover_time`"] == ("0.03 s", "—")


NOTEBOOKS = sorted((CHECKOUT / "docs" / "notebooks").glob("*.py"))


@slow
@pytest.mark.parametrize("script", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cells run one after the other, and what it asserts holds."""
    monkeypatch.chdir(CHECKOUT)
    monkeypatch.syspath_prepend(CHECKOUT / "docs" / "website")
    from notebooks import page

    assert page(script).startswith("# ")


def test_a_notebook_shows_the_value_of_each_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(CHECKOUT / "docs" / "website")
    from notebooks import page

    script = tmp_path / "values.py"
    script.write_text("# %%\nnumbers = [1, 2]\n[each + 6 for each in numbers]\n\n# %%\nNone\n")
    assert page(script).count("```text") == 1
    assert "```text\n[7, 8]\n```" in page(script)


# -- the follower itself -----------------------------------------------------------------------------


def test_shown_lines_are_compared_in_order_and_loosely() -> None:
    printed = "metric  value\nned     0.25\nsuite|spec:1f|scorespec\n"
    assert missing_line(["metric value", "…", "suite|…|scorespec"], printed) is None
    assert missing_line(["ned 0.25", "metric value"], printed) == "metric value"
    assert missing_line(["ned 0.2"], printed) == "ned 0.2"


def test_what_is_not_true_is_found(tmp_path: Path, served: Path) -> None:
    document = tmp_path / "false.md"
    reader = Reader(tmp_path / "home", served)
    for text in (
        "```console\n$ echo 1\n2\n```\n",
        "```console\n$ exit 3\n```\n",
        "```console exit=1\n$ true\n```\n",
        "```python\nprint(1)  # 2\n```\n",
        "```text answer\nan answer to no question\n```\n",
    ):
        document.write_text(text)
        with pytest.raises(AssertionError, match=r"false\.md:2"):
            reader.follow(document)


def test_files_and_folders_of_a_document(tmp_path: Path, served: Path) -> None:
    document = tmp_path / "true.md"
    document.write_text(
        'In `a.txt`:\n\n```text title="sub/a.txt"\none\ntwo\n```\n'
        '```diff title="sub/a.txt"\n one\n-two\n+three\n```\n'
        "```console\n$ cd sub && \\\n  cat a.txt\none\nthree\n$ pwd\n…sub\n```\n"
    )
    assert Reader(tmp_path / "home", served).follow(document) == 1
    assert next(blocks(document)) == Block("text", {"title": "sub/a.txt"}, "one\ntwo\n", 4)


@slow
def test_a_command_in_a_shell_has_the_folder_streams_and_exit_code_of_a_process(tmp_path: Path, served: Path) -> None:
    reader = Reader(tmp_path, served)
    line = "cd .. && scorespec show 'a b' 2>> err; echo $? >> err; scorespec schema | head -c 1"
    assert reader.run(f"mkdir sub; cd sub; {line}") == (0, "{")
    assert (tmp_path / "err").read_text().splitlines()[1:] == ["2"]
    assert "'a b'" in (tmp_path / "err").read_text()
    assert reader.run("set -o pipefail; scorespec show wer > shown | cat; scorespec list nope | cat")[0] == 2
    assert (tmp_path / "shown").read_text().startswith("metric wer")
    assert reader.run("grep -c . shown | scorespec score wer reference=-::ctm hypothesis=x | cat")[1].count("\n") == 1
