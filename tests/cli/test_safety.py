"""Values, labels and YAML of others are data, whatever is in them."""

from __future__ import annotations

import json

import pytest


@pytest.mark.parametrize("value", ["a'); DROP TABLE x; --", "[a', 'b']", "'", '"', "\\", "{{ 1 }}", "$1", "]::INT[]"])
def test_values_of_parameters_are_literals(score, value):
    plain = json.loads(score("--metric", "coverage", "--format", "json", "--param", "silence=[zz]").scored())
    odd = json.loads(score("--metric", "coverage", "--format", "json", "--param", f"silence=[{value}]").scored())
    assert odd["scores"] == plain["scores"]


@pytest.mark.parametrize("value", ["x'; DROP TABLE phones; --", "times' OR '1'='1"])
def test_texts_of_metric_strings_are_values(score, value):
    score("--metric", f"grouping(same_token={value})").refused_with("allowed: times, span", code=2)


@pytest.mark.parametrize("name", ["token; DROP TABLE phones", "../token", 'tok"en', "{{ 1 }}"])
def test_names_are_looked_up(score, name):
    score("--metric", name).refused_with(f"error: unknown metric {name!r}", code=2)
    score("--by", name).refused_with(f"error: unknown column {name!r}", code=2)


def test_labels_with_quotes_are_data(cli, folder):
    odd = {"a": "a'--", "s": '"; DROP TABLE phones; --', "ii": "{{x}}"}
    for suffix in ("phn", "wrd", "class"):
        text = (folder / f"alpha.{suffix}").read_text().replace("alpha_sa1", "al'pha\"{{1}}")
        if suffix == "phn":
            rows = [line.split() for line in text.splitlines()]
            text = "".join(f"{f} {a} {b} {odd.get(x, x).replace(' ', '')}\n" for f, a, b, x in rows)
        (folder / f"odd.{suffix}").write_text(text)
    names = ("--metric", "ned", "--metric", "coverage", "--metric", "token", "--format", "json")
    scores = [
        json.loads(
            cli("score", "zerospeech2017", f"phones={n}.phn", f"words={n}.wrd", f"fragments={n}.class", *names).scored()
        )["scores"]
        for n in ("alpha", "odd")
    ]
    assert scores[0] == scores[1]


def test_slices_with_quotes_are_data(cli, folder):
    for suffix in ("phn", "wrd", "class"):
        text = (folder / f"alpha.{suffix}").read_text().replace("alpha_sa1", "al'pha\"sa")
        (folder / f"odd.{suffix}").write_text(text)
    out = cli(
        "score",
        "zerospeech2017",
        "phones=odd.phn",
        "words=odd.wrd",
        "fragments=odd.class",
        "--by",
        "file",
        "--format",
        "json",
    ).scored()
    assert {"file": "al'pha\"sa"} in [row["slice"] for row in json.loads(out)["scores"]]


@pytest.mark.parametrize(
    "text",
    [
        "domain: !!python/name:os.system\n",
        "domain: term_discovery\nmetrics:\n  a: !!python/object/apply:os.system ['touch leak']\n",
        "domain: term_discovery\nmetrics: !!python/object:x {a: {extends: token}}\n",
        "domain: term_discovery\nmetrics: !include x.yaml\n",
        "domain: term_discovery\nmetrics:\n  a: &a [1, *a]\n",
    ],
)
def test_yaml_is_plain(score, write, folder, text):
    write("evil.yaml", text)
    score("--specs", "evil.yaml").refused_with("evil.yaml:")
    assert not (folder / "leak").exists()


def test_many_aliases_are_refused(score, write):
    lines = ["domain: term_discovery", "x0: &x0 [1,1,1,1,1,1,1,1,1,1]"]
    lines += [f"x{n}: &x{n} [{','.join([f'*x{n - 1}'] * 10)}]" for n in range(1, 9)]
    write("evil.yaml", "\n".join(lines))
    score("--specs", "evil.yaml").refused_with("evil.yaml:", "more than 200,000 values in one document")


def test_query_sees_only_the_results(score, cli, folder):
    score("-o", "r.duckdb").scored()
    before = (folder / "r.duckdb").read_bytes()
    cli("query", "r.duckdb", "DROP TABLE scores").refused_with("read-only")
    cli("query", "r.duckdb", "INSERT INTO runs (id) VALUES (7)").refused_with("read-only")
    assert (folder / "r.duckdb").read_bytes() == before
