"""The documents are true: their files are written, their commands and Python run, their output compared."""

from __future__ import annotations

import os
import re
import runpy
from pathlib import Path

import pytest

from documents import CHECKOUT, Block, Reader, blocks, commands, missing_line

DOCUMENTS = [
    "README.md",
    "CONTRIBUTING.md",
    *(
        path.relative_to(CHECKOUT).as_posix()
        for path in (CHECKOUT / "docs").rglob("*.md")
        if "reference" not in path.parts
    ),
]
NOT_RUN = ("make ", "pip install ", "pip uninstall ", "python3 -m venv ", "git ", "python -m build", ". ")


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_document(name: str, tmp_path: Path) -> None:
    Reader(tmp_path).follow(CHECKOUT / name)


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_only_what_sets_up_is_not_run(name: str) -> None:
    for block in blocks(CHECKOUT / name):
        if block.language == "console" and "no-run" in block.words:
            for each in commands(block):
                assert re.sub(r"^[A-Z_]+=\S+ ", "", each.command).startswith(NOT_RUN), each.command


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_links_lead_somewhere(name: str) -> None:
    document = CHECKOUT / name
    written_elsewhere = {"architecture.md", "performance.md"}
    text = re.sub(r"^ *```.*?^ *```", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        if Path(link).name not in written_elsewhere and "reference/" not in link:
            assert (document.parent / link).exists(), f"{name}: {link}"


def _anchors(text: str) -> set[str]:
    """The anchors of the headings of a page, as GitHub and the site make them."""
    found: dict[str, int] = {}
    anchors = set()
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S), re.M):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-")
        anchors.add(f"{anchor}-{found[anchor]}" if anchor in found else anchor)
        found[anchor] = found.get(anchor, 0) + 1
    return anchors


def test_links_lead_to_headings(reference: dict[str, str]) -> None:
    written = {name: (CHECKOUT / name).read_text(encoding="utf-8") for name in DOCUMENTS}
    pages = written | {f"docs/reference/{name}": text for name, text in reference.items()}
    anchors = {name: _anchors(text) for name, text in pages.items()}
    for name, text in pages.items():
        prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S)
        for link, anchor in re.findall(r"\]\(([^)#:\s]*)#([^)\s]+)\)", prose):
            target = os.path.normpath(Path(name).parent / link) if link else name
            assert anchor in anchors[target], f"{name}: {link}#{anchor}"
        for link in re.findall(r"\]\(([^)#:\s]*reference/[^)#:\s]*)", prose):
            target = os.path.normpath(Path(name).parent / link)
            assert target in pages or "/notebooks/" in target, f"{name}: {link}"


def test_make_comes_first_in_the_readme() -> None:
    first = next(blocks(CHECKOUT / "README.md"))
    assert [each.command.split("#")[0].strip() for each in commands(first)] == ["make demo", "make test"]


def test_the_citation_is_of_this_version() -> None:
    from scorespec import __version__

    assert f"\nversion: {__version__}\n" in (CHECKOUT / "CITATION.cff").read_text(encoding="utf-8")


def test_every_parameter_is_explained() -> None:
    from scorespec.catalog.lookup import load_catalog

    catalog = load_catalog()
    pages = {
        "term_discovery": ("term-discovery.md", "zerospeech2015.md", "tde2015.md"),
        "term_detection": ("term-detection.md", "quesst2015.md", "resources.md"),
        "articulation": ("articulation.md",),
        "named_entities": ("transcripts.md", "wer.md", "named-entities.md"),
    }
    assert set(pages) == {key.domain for key in catalog.keys("relations")}
    for domain, names in pages.items():
        text = "".join((CHECKOUT / "docs" / page).read_text(encoding="utf-8") for page in names)
        for key in catalog.keys("parameters"):
            assert key.domain != domain or f"`{key.name}`" in text, key.name


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The generated pages by name."""
    folder = tmp_path_factory.mktemp("reference")
    runpy.run_path(str(CHECKOUT / "docs" / "generate_reference.py"))["generate"](folder)
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.md")}


def _headings(page: str) -> set[str]:
    return set(re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page, flags=re.M | re.S), re.M))


def test_reference_has_every_definition(reference: dict[str, str]) -> None:
    from scorespec.catalog.lookup import SECTIONS, load_catalog

    catalog = load_catalog()
    text = "\n".join(reference.values())
    headings = set().union(*map(_headings, reference.values()))
    for section in SECTIONS:
        assert {*catalog.names(section)} <= headings, section
    assert {*catalog.plugins.formats} <= _headings(reference["formats.md"])
    assert {*catalog.plugins.functions} <= _headings(reference["functions.md"])
    for suite in map(catalog.suite, catalog.names("suites")):
        for name, layout in suite.layouts.items():
            assert f"* layout `{name}`: {layout.about}\n" in text
        for name, point in suite.reference_points.items():
            assert f"* reference point `{name}`: {point.about}\n" in text
    assert str(CHECKOUT) not in text


def test_reference_says_of_every_metric_what_it_means(reference: dict[str, str]) -> None:
    from scorespec.catalog.lookup import load_catalog
    from scorespec.compiler.kinds.body import components_of, expanded

    catalog = load_catalog()
    for key in catalog.keys("metrics"):
        metric, names = catalog.definition(key), catalog.home(key)
        page = reference[f"{key.domain.replace('_', '-')}/{key.name}.md"]
        sections = re.split(r"^## ", page, flags=re.M)
        head = f"{key.suite}.{key.name}\n" if key.suite else f"{key.name}, for all suites"
        [own] = [each for each in sections if each.startswith(head)]
        for name in components_of(expanded(metric, names.kinds[metric.kind])):
            meaning = names.component(metric, name)
            assert f"| `{name}` |" in own, f"{key}: {name}"
            assert " ".join(meaning.about.split()).replace("|", "\\|") in own, f"{key}: {name}"
        for cite in metric.cites:
            assert f"* cites: {cite}" in own, key


def test_reference_has_every_command_and_option(reference: dict[str, str]) -> None:
    from typer.main import get_command

    from scorespec.cli import app

    page = reference["commands.md"]
    sections = {each.partition("\n")[0]: each for each in re.split(r"^## ", page, flags=re.M)}

    def check(words: str, command: object) -> None:
        for name, below in getattr(command, "commands", {}).items():
            check(f"{words} {name}", below)
        if not hasattr(command, "commands"):
            for parameter in command.params:
                called = parameter.opts[0] if parameter.param_type_name == "option" else parameter.name.upper()
                assert f"`{called}`" in sections[words], f"{words} {called}"

    check("scorespec", get_command(app))


def test_reference_has_every_table_and_column_of_results(reference: dict[str, str]) -> None:
    from scorespec.runtime.results import TABLES

    sections = {each.partition("\n")[0]: each for each in re.split(r"^## ", reference["results.md"], flags=re.M)}
    for name, columns in TABLES.items():
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


def test_what_is_not_true_is_found(tmp_path: Path) -> None:
    document = tmp_path / "false.md"
    reader = Reader(tmp_path / "home")
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


def test_files_and_folders_of_a_document(tmp_path: Path) -> None:
    document = tmp_path / "true.md"
    document.write_text(
        'In `a.txt`:\n\n```text title="sub/a.txt"\none\ntwo\n```\n'
        '```diff title="sub/a.txt"\n one\n-two\n+three\n```\n'
        "```console\n$ cd sub && \\\n  cat a.txt\none\nthree\n$ pwd\n…sub\n```\n"
    )
    assert Reader(tmp_path / "home").follow(document) == 1
    assert next(blocks(document)) == Block("text", {"title": "sub/a.txt"}, "one\ntwo\n", 4)
