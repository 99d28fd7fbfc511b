"""A document of any shape ends in one message with its place, whichever command reads it."""

from __future__ import annotations

import pytest

from marks import only, some
from scorespec.plan import needs

HEAD = "domain: term_discovery\n"
DEEP = 30_000
TOO_LONG = 1_100  # a chain in which each call of Python calls the next would be too deep
METRIC = "metrics:\n  evil: {about: x, kind: statistics, from: %s, statistics: {n: count(*)}, components: {value: n}}\n"
RELATIONS = "relations:\n  r0: {about: x, needs: [fragments], sql: 'SELECT * FROM {{ fragments }}'}\n"
FORMULA = "{about: x, kind: formula, of: {a: m%d}, components: {value: a.fscore}}"


def chain(length: int) -> str:
    """A document with relations each of which needs the one before."""
    needing = (f"  r{n}: {{about: x, needs: [r{n - 1}], sql: 'SELECT {n} AS a FROM {{{{ r{n - 1} }}}}'}}\n"
               for n in range(1, length))  # fmt: skip
    return HEAD + RELATIONS + "".join(needing) + METRIC % f"r{length - 1}"


def of(lines: list[str]) -> str:
    return HEAD + "metrics:\n" + "".join(f"  {line}\n" for line in lines)


BAD = {
    "lists": (HEAD + "metrics: " + "[" * DEEP + "]" * DEEP, ": nested more than 100 deep"),
    "open lists": (HEAD + "metrics: " + "[" * DEEP, ": nested more than 100 deep"),
    "mappings": (HEAD + "metrics: " + "{a: " * DEEP + "}" * DEEP, "2:406: nested more than 100 deep"),
    "dashes": (HEAD + "metrics:\n " + "- " * DEEP + "a", "3:200: nested more than 100 deep"),
    "keys": (HEAD + "metrics:\n " + "? " * DEEP + "a", "3:200: nested more than 100 deep"),
    "indents": (HEAD + "".join(f"{' ' * n}a:\n" for n in range(300)), "102:101: nested more than 100 deep"),
    "aliases": (
        HEAD + "x0: &x0 [1]\n" + "".join(f"x{n}: &x{n} [*x{n - 1}]\n" for n in range(1, 6_000)),
        "2:5: nested more than 100 deep",
    ),
    "no number": (HEAD + "metrics: !!int abc", "2:10: abc is not a whole number of at most 64 bits"),
    "digits": (HEAD + "metrics: " + "1" * 5000, f"2:10: {'1' * 20}… is not a whole number of at most 64 bits"),
    "bits": (HEAD + "metrics: 0x8000000000000000", "2:10: 0x8000000000000000 is not a whole number"),
    "no fraction": (HEAD + "metrics: !!float x", "2:10: x is not a number"),
    "no truth": (HEAD + "metrics: !!bool maybe", "2:10: maybe is not true or false"),
    "no null": (HEAD + "metrics: !!null x", "2:10: x is not null"),
    "no mapping": (HEAD + "metrics: !!map abc", "2:10: tags are not allowed in a document"),
    "no list": (HEAD + "metrics: !!seq {a: 1}", "2:10: tags are not allowed in a document"),
    "no text": (HEAD + "metrics: !!str [a]", "2:10: tags are not allowed in a document"),
    "half a character": (HEAD + 'metrics: "\\ud800"', "2:13: not valid YAML: found invalid Unicode character"),
    "needs": (chain(TOO_LONG), "a chain of more than 100 relations, each of which needs the next"),
    "extends": (
        of(
            ["evil: {extends: token}", "e0: {extends: ned}"]
            + [f"e{n}: {{extends: e{n - 1}}}" for n in range(1, TOO_LONG)]
        ),
        "a chain of more than 100 definitions, each of which extends the next",
    ),
    "extends, last first": (
        of([*(f"e{n}: {{extends: e{n - 1}}}" for n in range(TOO_LONG - 1, 0, -1)), "e0: {extends: token}"]),
        "103:19: a chain of more than 100 definitions, each of which extends the next",
    ),
    "of": (
        of(["m0: {extends: token}", *(f"m{n}: {FORMULA % (n - 1)}" for n in range(1, 300)), f"evil: {FORMULA % 299}"]),
        "a chain of more than 100 metrics, each of which refers to the next",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", only({*BAD} - {"extends", "needs"}, BAD))
def test_a_document_of_odd_shape(cli, score, write, name):
    text, said = BAD[name]
    write("evil.yaml", text)
    given = ("--specs", "evil.yaml")
    for result in some(
        (
            score(*given, "--metric", "evil"),
            cli("compile", "zerospeech2017", *given, "--metric", "evil"),
            *([cli("show", "evil", *given), cli("check", "evil.yaml")] if name not in ("needs", "of") else []),
        )
    ):
        result.refused_with("evil.yaml:", said)
        assert len(result.err.splitlines()) == 1
        assert len(result.err) < 300


def test_faults_are_told_once_and_the_first_of_them(cli, write, monkeypatch):
    monkeypatch.setattr(needs, "LONGEST_CHAIN", 5)
    write("evil.yaml", chain(35))
    result = cli("check", "evil.yaml")
    result.refused_with("evil.yaml:", "a chain of more than 5 relations", "and 10 more faults")
    lines = result.err.splitlines()
    assert len(set(lines)) == len(lines) == 21


def test_a_chain_that_is_long_enough_for_anybody(score, write):
    write("mine.yaml", chain(100))
    score("--specs", "mine.yaml", "--metric", "evil").scored()


@pytest.mark.parametrize("written", ["1e999999999", "[1]", "abc", "1/0", "9" * 400 + "/1"])
def test_a_case_that_expects_no_number(cli, write, written):
    write("evil.yaml", f"{HEAD}cases:\n  ned:\n  - {{about: x, example: tiny, expect: {{value: '{written}'}}}}\n")
    cli("check", "evil.yaml").refused_with("evil.yaml:4:5: ned: ")


@pytest.mark.parametrize("name", ["os.system", "scorespec.api.score", "read", "__import__", "best_matching.__init__"])
def test_a_document_names_no_python(score, cli, write, name):
    relation = f"function: {name}, input: 'SELECT * FROM {{{{ fragments }}}}', sql: 'SELECT * FROM {{{{ rows }}}}'"
    text = f"{HEAD}relations:\n  evil: {{about: x, needs: [fragments], {relation}}}\n{METRIC % 'evil'}"
    write("evil.yaml", text)
    for result in (score("--specs", "evil.yaml", "--metric", "evil"), cli("check", "evil.yaml")):
        result.refused_with(f"evil.yaml:3:50: unknown function {name!r}; ")


MACRO = "macros:\n  fscore: {about: x, params: [p, r], sql: 1e0}\n"
SHARED = (
    "relations:\n  file_speakers: {about: x, needs: [phones], sql: 'SELECT file, 0 AS speaker FROM {{ phones }}'}\n"
)
OF_SUITE = "suite: zerospeech2017\n"
REPLACING = {
    "a macro of all domains": (MACRO, "3:3: 'fscore' is defined at specs/macros.yaml:"),
    "a macro, in a suite": (OF_SUITE + MACRO, "4:3: 'fscore' is defined at specs/macros.yaml:"),
    "a relation of the domain": (SHARED, "3:3: 'file_speakers' is defined at specs/term_discovery/shared/"),
    "a relation, in a suite": (OF_SUITE + SHARED, "4:3: 'file_speakers' is defined at specs/term_discovery/shared/"),
    "a parameter": (
        OF_SUITE + "parameters:\n  pause: {type: DOUBLE, default: 9.0, unit: s, about: x}\n",
        "4:3: 'pause' is defined at specs/term_discovery/parameters.yaml:",
    ),
    "a metric of a suite": (
        OF_SUITE + "metrics:\n  token: {extends: tde2015.token}\n",
        "4:3: 'token' is defined at specs/term_discovery/zerospeech2017/token.yaml:",
    ),
    "a metric of all suites": (
        "metrics:\n  token: {extends: zerospeech2017.token}\n",
        "3:3: 'token' is defined at specs/term_discovery/",
    ),
    "a suite": (
        "suites:\n  zerospeech2017: {extends: tde2015}\n",
        "3:3: 'zerospeech2017' is defined at specs/term_discovery/zerospeech2017/suite.yaml:",
    ),
}


@pytest.mark.parametrize("what", REPLACING)
def test_a_document_cannot_replace_what_ships(score, cli, write, folder, what):
    text, said = REPLACING[what]
    (folder / "specs").mkdir()
    for name in ("evil.yaml", "specs/macros.yaml"):  # the second has the name of a document that ships
        write(name, HEAD + text)
        for result in (score("--specs", name), cli("check", name)):
            result.refused_with(f"{name}:{said}", " already; extend it under a new name")


def test_the_suite_of_a_user_may_replace_what_ships(score, cli, write):
    write("mine.yaml", f"{HEAD}suite: mine\n{MACRO}suites:\n  mine: {{extends: zerospeech2017, about: x}}\n")
    given = ("phones=alpha.phn", "words=alpha.wrd", "fragments=alpha.class", "--metric", "token", "--format", "csv")
    plain = score("--metric", "token", "--format", "csv").scored()
    assert score("--metric", "token", "--format", "csv", "--specs", "mine.yaml").scored() == plain
    assert "token,fscore,{},1.0," in cli("score", "mine", *given, "--specs", "mine.yaml").scored()
