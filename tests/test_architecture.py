"""The plan of the house (docs/architecture.md), held by tests: who imports whom; no domain in the engine."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pyarrow as pa

import scorespec
from marks import some
from scorespec.catalog.lookup import load_catalog
from scorespec.check.documents_checked import verify

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "engine" / "scorespec"
MODULES = sorted(ENGINE.rglob("*.py"))
TEMPLATES = sorted(each for each in (ROOT / "sql").rglob("*") if each.suffix in (".sql", ".jinja"))

# Names of specs/ that are also words of Python or of scoring in general. Each says why no domain is meant.
ORDINARY_WORDS = {
    "scores": "a table of results: one row per score",
    "baseline": "the run that another run is compared with",
    "blocks": "pieces of text, such as those of a page",
    "cost": "what a step took: seconds, rows, bytes",
    "counts": "warnings that count rows, and numbers of any kind",
    "documents": "the YAML files in which everything is defined",
    "prior": "a key of the kind `fit`: the probability of a positive",
    "left_out": "what is not scored",
    "submission": "what a participant hands in, of any kind",
    "total": "a sum over everything; in a sweep, the sums over all rows",
    "type": "the type of a value or column, and a key of JSON Schema",
    "words": "what an error message is put in",
    "targets": "limits that scores must reach",
    "tasks": "what an engine gives to its workers",
    "times": "how often something is there",
    "reference": "a table or relation as a template sees it, by the name under which it is made",
    "metadata": "what Python knows of an installed package: importlib.metadata",
    "pairs": "two things at a time, such as two runs that are compared, or a key and its value",
    "folds": "parts of a corpus that are scored apart and averaged: a key of a suite and a column of `scores`",
    "lists": "values of the type of a list, such as a column of DuckDB",
}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def part_of(path: Path) -> str:
    """The folder or module of the package that a file belongs to."""
    return path.relative_to(ENGINE).parts[0].removesuffix(".py")


@cache
def spec_names() -> dict[str, str]:
    """Every name that specs/ gives to a domain, table, relation, metric or suite: {name: what it is}."""
    catalog = load_catalog()
    names = {}
    for section in ("tables", "relations", "metrics", "suites"):
        for key in catalog.keys(section):
            names |= {key.name: section, key.domain: "domain"}
    return names


def said(path: Path) -> Iterator[tuple[int, str]]:
    """Every identifier and string of a module but docstrings, with its line."""
    docstrings = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            docstrings.add(id(node.value))
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value
        for attribute in ("id", "attr", "arg", "name", "asname", "module"):
            if isinstance(name := getattr(node, attribute, None), str):
                yield getattr(node, "lineno", 0), name


def names_in(text: str) -> set[str]:
    """The names of specs/ that a string or identifier is, or that stand in it as a word of their own."""
    separated = "".join(character if character.isalnum() or character == "_" else " " for character in text)
    return set(separated.lower().split()) & spec_names().keys()


def is_prose(text: str) -> bool:
    """Whether a string is a sentence, no command: there an ordinary word such as `token` means itself."""
    return len(text.split()) > 2 and "--" not in text and not text.startswith("scorespec ")


def test_the_engine_knows_no_domain_by_name() -> None:
    """A name of several words is refused anywhere; a name of one word, where the string is not a sentence."""
    found = [
        f"{path}:{line}: {name} is a name of specs/ ({spec_names()[name]})"
        for path in MODULES
        if part_of(path) not in ("formats", "functions", "examples")
        for line, text in said(path)
        for name in names_in(text) - ORDINARY_WORDS.keys()
        if "_" in name or any(c.isdigit() for c in name) or not is_prose(text)
    ]
    assert not found, "\n".join(found)


def test_the_words_let_through_are_names_of_specs_and_used() -> None:
    used = {word for path in MODULES for _, text in said(path) for word in names_in(text)}
    assert ORDINARY_WORDS.keys() <= spec_names().keys() & used


def test_a_fifth_domain_is_scored_through_its_documents_alone(tmp_path: Path) -> None:
    folder = shutil.copytree(ROOT / "tests" / "data" / "toy", tmp_path / "fifth")
    assert verify(folder).metrics == 6
    answers = tmp_path / "answers.csv"
    answers.write_text("file,speaker,item,said,wanted,score\nann,ann,i1,yes,yes,0.9\nann,bob,i2,no,yes,0.8\n", "utf-8")
    run = scorespec.score("quiz", specs=folder, answers=answers, by=["speaker"])
    assert run.value("accuracy") == 0.5
    assert run.value("accuracy", speaker="bob") == 0
    assert run.sql("SELECT item, right_answer FROM evidence_marks ORDER BY item").to_pylist() == [
        {"item": "i1", "right_answer": True},
        {"item": "i2", "right_answer": False},
    ]
    table = pa.table({"file": ["f"], "speaker": ["t"], "item": ["i"], "said": ["a"], "wanted": ["a"], "score": [1]})
    assert scorespec.score("quiz", specs=folder, answers=table).value("words", "fscore") == 1


def test_every_template_says_what_it_computes() -> None:
    lacking = []
    for path in TEMPLATES:
        head = path.read_text(encoding="utf-8").lstrip()
        said = head.partition("#}")[0] if head.startswith("{#") else head.splitlines()[0]
        if not said.startswith(("{#", "--")) or len(said.split()) < 5:
            lacking.append(path.relative_to(ROOT).as_posix())
    assert not lacking


def test_every_public_thing_has_a_docstring() -> None:
    """Modules, public functions and classes; of methods, those that are long and override nothing."""
    lacking = [thing for path in MODULES for thing in without_docstring(path)]
    assert not lacking, "\n".join(lacking)


def without_docstring(path: Path) -> Iterator[str]:
    tree = parsed(path)
    if (path.name != "__init__.py" or tree.body) and not ast.get_docstring(tree):
        yield f"{path}: no docstring"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            if not ast.get_docstring(node):
                yield f"{path}:{node.lineno}: {node.name}"
            for inner in node.body if isinstance(node, ast.ClassDef) and not node.bases else ():
                if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
                    long = (inner.end_lineno or 0) - inner.lineno > 4
                    if long and not ast.get_docstring(inner):
                        yield f"{path}:{inner.lineno}: {inner.name}"


def test_the_page_names_no_module_that_is_gone() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    known = {path.name for path in MODULES} | {path.relative_to(ENGINE).as_posix() for path in MODULES}
    for name in some(re.findall(r"`([\w/]+\.py)`", text)):
        assert name in known or (ROOT / name).exists(), name


def test_what_is_asserted_in_loops_is_asserted() -> None:
    """If a test asserts only in loops, one of its assertions is in loops that run at least once."""
    idle = [
        f"{path.relative_to(ROOT)}:{test.lineno}: {test.name}: no loop is over `some(...)`"
        for path in (ROOT / "tests").rglob("test_*.py")
        for test in ast.walk(parsed(path))
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_")
        if (loops := [*loops_of_assertions(test)]) and not any(all(map(is_filled, each)) for each in loops)
    ]
    assert not idle, "\n".join(idle)


def loops_of_assertions(node: ast.AST, loops: tuple[ast.expr, ...] = ()) -> Iterator[tuple[ast.expr, ...]]:
    """For each assertion, what the loops around it go over."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.Assert) or (isinstance(each, ast.withitem) and "raises" in ast.unparse(each)):
            yield loops
        elif not isinstance(each, ast.FunctionDef):
            yield from loops_of_assertions(each, (*loops, each.iter) if isinstance(each, ast.For) else loops)


def is_filled(values: ast.expr) -> bool:
    """Whether there is certainly a value: they are written out, or given by `some`."""
    if not isinstance(values, ast.Call):
        parts = getattr(values, "elts", None) or getattr(values, "keys", None) or []
        return isinstance(values, ast.Constant) or any(not isinstance(each, ast.Starred | None) for each in parts)
    if isinstance(values.func, ast.Attribute):
        return values.func.attr in ("items", "values") and is_filled(values.func.value)
    called = values.func.id if isinstance(values.func, ast.Name) else ""
    return called == "some" or (called in ("enumerate", "product", "range", "zip") and all(map(is_filled, values.args)))
