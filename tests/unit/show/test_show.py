"""`show` finds what a user meets under any of its names, and shows all that have it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml

import scorespec
import toy
from marks import some
from scorespec.catalog.lookup import SECTIONS, DefinitionKey, load_catalog
from scorespec.catalog.model import Metric, Relation, Table
from scorespec.core.result_tables import COLUMNS
from scorespec.core.terminal import first_sentence
from scorespec.errors import SpecError
from scorespec.plan.needs import expanded
from scorespec.show import show
from scorespec.show.lists import list_definitions
from scorespec.show.plugged import list_formats, list_functions

CATALOG = load_catalog()
HOMES = {key: CATALOG.home(key) for section in ("metrics", "tables", "relations") for key in CATALOG.keys(section)}
METRICS = {key: found for key, names in HOMES.items() if isinstance(found := names.built(key), Metric)}
ROWS = {key: found for key, names in HOMES.items() if isinstance(found := names.built(key), Table | Relation)}
SUITES = [CATALOG.suite(name) for name in CATALOG.names("suites")]


def ten(names: Iterable[str]) -> list[str]:
    """Ten names, spread over all of them."""
    every = sorted(set(names))
    return every[:: max(1, len(every) // 10)][:10]


def components(metric: Metric) -> list[str]:
    return list(expanded(metric, CATALOG.kinds[metric.kind])["components"])


@pytest.mark.parametrize("section", SECTIONS)
def test_what_each_section_shows(section: str) -> None:
    """All that have the name, each with its place; written with its suite, or in another case, it is found as well."""
    for name in some(ten(CATALOG.names(section))):
        text = show(CATALOG, name)
        for key in some(CATALOG.keys(section)):
            if key.name == name:
                assert f"({CATALOG.origin(key)})" in text
                assert f"({CATALOG.origin(key)})" in show(CATALOG, str(key))
                assert f"({CATALOG.origin(key)})" in show(CATALOG, name.replace("_", "-").upper())


@pytest.mark.parametrize("name", ten(f"{key}.{each}" for key, found in METRICS.items() for each in components(found)))
def test_components(name: str) -> None:
    metric, _, component = name.rpartition(".")

    def reported_by(asked: str) -> set[str]:
        blocks = [each for each in show(CATALOG, asked).split("\n\n") if each.startswith(f"component {component}, ")]
        return {
            found for each in blocks for found in re.findall(r"^    (\S+) +\S.*  \(specs/\S+\)$", each, re.MULTILINE)
        }

    assert {found.rpartition(".")[2] for found in reported_by(name)} == {metric.rpartition(".")[2]}
    assert reported_by(component) == {found.full_name for found in METRICS.values() if component in components(found)}


@pytest.mark.parametrize("name", ten(f"{key}.{each}" for key, found in ROWS.items() for each in found.column_names))
def test_columns(name: str) -> None:
    owner, _, column = name.rpartition(".")
    head = rf"^column {re.escape(column)}, in\n  (table|relation) \S*{owner}(: |, |$)"
    assert re.search(head, show(CATALOG, name), re.MULTILINE)
    (block,) = [each for each in show(CATALOG, column).split("\n\n") if each.startswith(f"column {column}, in\n")]
    owners = [f"{key.section[:-1]} {key}" for key, found in ROWS.items() if column in found.column_names]
    assert sorted(re.findall(r"(?:^  |, )((?:table|relation) [\w.]+)(?=, |: |$)", block, re.MULTILINE)) == sorted(
        owners
    )


@pytest.mark.parametrize("name", ten(f"evidence_{kept}" for suite in SUITES for kept in suite.keep))
def test_evidence(name: str) -> None:
    """The table of evidence, and the relation or input whose rows it has."""
    text = show(CATALOG, name)
    for suite in some(SUITES):
        if relation := suite.keep.get(name.removeprefix("evidence_")):
            assert re.search(rf"^table {name} of the results database, suite .*\b{suite.name}\b", text, re.MULTILINE)
            assert re.search(rf"^  (relation|table) (\w+\.)?{relation}, {suite.domain}  \(", text, re.MULTILINE)


def test_evidence_that_has_the_name_of_its_relation_is_shown_once() -> None:
    text = show(CATALOG, "token_outcomes")
    assert "table evidence_token_outcomes of the results database, suite zerospeech2017" in text
    assert text.count("relation zerospeech2017.token_outcomes, term_discovery") == 1


def test_tables_and_columns_of_results() -> None:
    for table, columns in some(COLUMNS.items()):
        assert re.search(rf"^table {table} of the results database\n  \w", show(CATALOG, table), re.M)
        for name in columns:
            head = rf"^column {table}\.{name} of the results database\n  \w"
            assert re.search(head, show(CATALOG, f"{table}.{name}"), re.M)
            assert re.search(head, show(CATALOG, name), re.M)


@pytest.mark.parametrize("name", ten(CATALOG.plugins.formats))
def test_formats(name: str) -> None:
    format_ = CATALOG.plugins.formats[name]
    for asked in some((name, *format_.suffixes)):
        assert f"format {name}  (" in show(CATALOG, asked)


@pytest.mark.parametrize("name", ten(CATALOG.plugins.functions))
def test_functions(name: str) -> None:
    text = show(CATALOG, name)
    assert f"function {name}\n" in text
    assert "  returns the columns:\n" in text or name == "channel_means"
    assert ("  promised: " in text) == ("  example" in text)


def test_what_a_function_reads_and_returns() -> None:
    assert show(CATALOG, "longest_chain").splitlines()[2:] == [
        "  promised: documents of others may use it; its name, columns and rows stay",
        "  reads the columns:",
        "    left_place   BIGINT",
        "    right_place  BIGINT",
        "  all other columns name a group, whose rows are adjacent, and are returned",
        "  returns the columns:",
        "    left_place   BIGINT",
        "    right_place  BIGINT",
        "  settings, filled by parameters:",
        "    anchor_words  BIGINT, at least 0",
        "  example, with anchor_words = 2:",
        "      text  left_place  right_place",
        "      1     0           7",
        "      1     2           1",
        "      1     5           3",
        "    becomes",
        "      text  left_place  right_place",
        "      1     2           1",
        "      1     3           2",
        "      1     5           3",
        "      1     6           4",
        "  computes the rows of:",
        "    anchors",
    ]


def test_lists_of_functions_and_formats() -> None:
    blocks = [block.splitlines() for block in list_functions(CATALOG).split("\n\n")]
    assert [block[0].partition(":")[0] for block in blocks] == ["promised", "internal"]
    listed = {line.split()[0]: block[0].startswith("promised") for block in blocks for line in block[1:]}
    assert listed == {name: each.promised for name, each in CATALOG.plugins.functions.items()}
    assert [line.split()[0] for line in list_formats(CATALOG).splitlines()] == [*CATALOG.plugins.formats]


def test_domains() -> None:
    for domain in some({suite.domain for suite in SUITES}):
        text = show(CATALOG, domain)
        assert f"domain {domain}, with the suites\n" in text
        assert all(f"\n  {suite.name}  " in text for suite in SUITES if suite.domain == domain)


def test_slices() -> None:
    assert "slice speakers of suite tde2015  (specs/" in show(CATALOG, "speakers")
    assert "one for each value of the parameter fold_set: total, within" in show(CATALOG, "speakers")


def test_statistics() -> None:
    for name in ("empty_pairs", "tde2015.ned.empty_pairs"):
        assert "statistic empty_pairs, of the metrics\n  tde2015.ned  sum(pairs)" in show(CATALOG, name)


def test_a_component_has_a_block_for_each_meaning() -> None:
    """The metrics that report it with the range of the domain, then those with a range of their own."""
    blocks = [each for each in show(CATALOG, "fscore").split("\n\n") if "component fscore, term_discovery" in each]
    (usual, wide) = blocks
    assert "\n  0 to 1, higher is better\n" in usual
    assert "\n  0 to 2, higher is better\n" in wide
    assert "\n    tde2015.token " in wide
    assert "\n    tde2015.token " not in usual
    assert usual.startswith(f"component fscore, term_discovery  ({CATALOG.origin(component_key())})\n")
    assert '  sum("clusters")  (specs/' in show(CATALOG, "clusters")  # of a metric that only reports sums


def component_key() -> DefinitionKey:
    return DefinitionKey("components", "term_discovery", "", "fscore")


def test_a_metric_with_parameters() -> None:
    heads = re.findall(r"^\w.*", show(CATALOG, "token(edge_time=0.02)"), re.MULTILINE)
    suites = [key.suite for key in METRICS if key.name == "token"]
    assert [head.split()[:2] for head in heads] == [["metric", f"{suite}.token,"] for suite in suites]


def test_an_inherited_definition_is_shown_as_its_suite_sees_it() -> None:
    text = show(CATALOG, "tde2015.matching")
    assert "metric zerospeech2015.matching, term_discovery" in text
    assert "overlap_across_files = true" in text
    assert "overlap_across_files = false" in show(CATALOG, "zerospeech2015.matching")


def test_a_metric_of_a_domain_is_shown_with_the_values_of_its_suites() -> None:
    """Each value with the suites that set it; one value where all suites have the same."""
    text = show(CATALOG, "atwv").partition("metric atwv, term_detection  (")[2]
    assert "\n      c_miss = 10 (openkws13, std2006), 1 (sws2012), 100 (sws2013): Cost of a miss" in text
    assert "\n      c_fa = 1: Cost of a false alarm" in text
    assert "\n      c_miss = 100: Cost of a miss" in show(CATALOG, "sws2013.atwv")


def test_a_parameter_that_a_suite_defines_anew_is_shown_in_both_meanings() -> None:
    lines = [line.strip() for line in show(CATALOG, "der").splitlines() if "collar = 0 s" in line]
    assert [line.partition(" of ")[0].partition(" before")[0] for line in lines] == [
        "collar = 0 s: Time",
        "in der_pyannote: collar = 0 s: Total width",
    ]


@pytest.mark.parametrize(
    ("keys", "suites"),
    [
        ("about: Mine.", ["tde2015", "zerospeech2015", "zerospeech2017"]),
        ("params: {edge_time: 0.01}", ["zerospeech2017"]),  # the token of another suite does not depend on it
    ],
)
def test_a_variant_without_a_suite_is_shown_as_each_suite_sees_it(keys: str, suites: list[str], tmp_path: Path) -> None:
    document = tmp_path / "mine.yaml"
    document.write_text(f"domain: term_discovery\nmetrics: {{mine: {{extends: token, {keys}}}}}\n")
    texts = show(load_catalog(document), "mine").split("\n\n")
    assert len(texts) == len(suites)
    for text, suite in zip(texts, suites, strict=True):
        assert text.startswith(f"metric mine, term_discovery, as in the suite {suite}  (")
        assert f"specs/term_discovery/{suite}/token.yaml" in text


def test_a_varied_parameter_has_the_values_of_its_slices() -> None:
    assert "fold_set = total, within, each in a slice: Folds that are scored." in show(CATALOG, "tde2015.ned")


def test_the_exact_name_goes_before_other_spellings() -> None:
    assert "kind ratio" in show(CATALOG, "ratio")
    with pytest.raises(scorespec.UsageError, match=r"^nothing is called 'toke'; did you mean 'token'\?$"):
        show(CATALOG, "toke")


# -- what is shown -----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", list(METRICS)[::10], ids=str)
def test_a_metric(key: object) -> None:
    metric = METRICS[key]  # type: ignore[index]
    text = show(CATALOG, metric.full_name)
    assert metric.about in text
    for component in components(metric):
        assert re.search(rf"^    {component}\b", text, re.MULTILINE)
    source = metric.origin.source
    printed = re.findall(
        rf"^  written at {re.escape(str(metric.origin.place(key=True)))}:\n((?: {{4}}.*\n|\n)+)", text, re.M
    )
    ((name, written),) = yaml.safe_load(source).items()
    without_about = {name: {key: value for key, value in written.items() if key != "about"}}
    assert without_about in map(yaml.safe_load, printed)  # a metric that extends this one shows it with its meaning
    lines = {line.rstrip() for line in source.splitlines()}
    assert all({line[4:] for line in each.splitlines()} <= lines for each in printed)
    tree = text.partition("\n  depends on:\n")[2].partition("\n\n")[0].splitlines()
    assert tree
    assert not re.search(r"\{'\w+': ", text)  # a dictionary of Python


def test_every_component_has_a_meaning() -> None:
    """The component `value` has that of its metric; a sum over a column has that of the column."""
    for key, metric in METRICS.items():
        for component in components(metric):
            assert component == "value" or HOMES[key].component(metric, component).about, f"{key}.{component}"
    assert "\n    words            count, at least 0, fixed by the reference: Number of word tokens.\n" in show(
        CATALOG, "zerospeech2017.sizes"
    )


def test_a_metric_says_how_to_see_its_sql() -> None:
    assert "\n  SQL of one step: scorespec show zerospeech2017.cluster_pairs\n" in show(CATALOG, "zerospeech2017.ned")


def test_parameters_of_folds_and_slices_come_last() -> None:
    text = show(CATALOG, "zerospeech2015.ned").partition("\n  parameters:\n")[2].partition("\n  depends on:\n")[0]
    before, _, after = text.partition("    for folds and slices\n")
    assert re.findall(r"^ {6}(\w+) =", after, re.MULTILINE) == ["speakers", "speaker_pattern", "fold_set", "n_folds"]
    assert "edge_cover_time = " in before


def test_a_relation_of_a_function() -> None:
    """The functions, the query that they read, and their settings."""
    assert "\n    SELECT cluster, text, members AS weight FROM {{ cluster_types }} ORDER BY cluster\n" in show(
        CATALOG, "zerospeech2017.cluster_pairs"
    )
    for key, found in ROWS.items():
        if isinstance(found, Relation) and found.function_input:
            (head,) = re.findall(
                r"^  rows computed by the function (.*), from the rows of:$", show(CATALOG, str(key)), re.M
            )
            for call in found.function_input.calls:
                assert call.function.name in head
                assert all(re.search(rf"\b{setting}\b", head) for setting in call.arguments)


def test_a_macro() -> None:
    assert "SQL of fscore(p, r):\n" in show(CATALOG, "fscore")


def test_a_parameter() -> None:
    lines = show(CATALOG, "match_counts").splitlines()
    assert "  default: fragments" in lines
    assert any(line.startswith("  metric zerospeech2015.matching_pairs: match_counts = pairs") for line in lines)
    assert "  suite tde2015: match_counts = pairs" in lines
    assert "  read by:" in lines


def test_long_lists_are_whole_only_where_their_parameter_is_shown() -> None:
    shown = show(CATALOG, "wer")
    assert (
        "phones = [P=consonant stop labial, B=consonant stop labial voiced, T=consonant stop alveolar, …] "
        "(39 entries, see `scorespec show phones`)"
    ) in shown
    assert "OY=vowel mid back round glide" not in shown
    assert "OY=vowel mid back round glide]" in show(CATALOG, "phones")
    assert "task_names = [copy-synthesis,semantic-only,acoustic-only]" in show(CATALOG, "semantic_rank")


def test_ones_own_definitions() -> None:
    catalog = toy.catalog("metrics:\n  mine: {extends: accuracy, about: mine}\n")
    assert "metric mine, toy  (own.yaml:3:3)" in show(catalog, "mine")


def test_lists_have_the_first_sentence() -> None:
    assert (
        first_sentence("One row per file, e.g. a.wav. Files of one speaker (F_x). More.")
        == "One row per file, e.g. a.wav."
    )
    assert first_sentence("No end") == "No end"
    assert first_sentence("After Versteegh et al. 2015. 0 is best.") == "After Versteegh et al. 2015."
    assert first_sentence("Costs of F4DE 3.5.0. std2006 has the same.") == "Costs of F4DE 3.5.0."
    assert first_sentence("Pairs. (matching counts spans.)") == "Pairs."
    assert first_sentence("Which pairs count. all: every pair. within: of one speaker.") == "Which pairs count."


def test_lists_of_definitions_have_one_line_each() -> None:
    lines = [line for line in list_definitions(CATALOG, "metrics").splitlines() if line.startswith("  ")]
    assert len(lines) == len(METRICS)
    assert lines[0].split(maxsplit=1) == ["acoustic", "Acoustic score: sum of loudness and spectrogram."]


# -- lists and references -------------------------------------------------------------------------


def test_a_reference_point_is_shown_with_what_makes_it():
    assert show(CATALOG, "wer.reject_all").splitlines() == [
        "reference point wer.reject_all, transcripts  (specs/transcripts/wer/suite.yaml:6:3)",
        "  A transcript without words. Every word is deleted, so that the word error rate is 1.",
        "  inputs, each with the relation that computes its rows:",
        "    hypothesis  empty_transcript",
        "    times       (left out)",
        "    alignment   (left out)",
    ]


@pytest.mark.parametrize(
    ("section", "written", "said"),
    [
        ("metrics", "{about: Odd., kind: formula, of: {a: nothing}, components: {value: a}}", "3:45: unknown metric"),
        (
            "metrics",
            "{about: Odd., kind: statistics, from: nothing, statistics: {n: count(*)}}",
            "3:46: unknown relation",
        ),
        ("suites", "{about: Odd., inputs: [phones], metrics: [nothing]}", "3:50: unknown metric"),
    ],
)
def test_a_metric_or_suite_that_names_an_unknown_one_is_refused(
    section: str, written: str, said: str, tmp_path: Path
) -> None:
    document = tmp_path / "mine.yaml"
    document.write_text(f"domain: term_discovery\n{section}:\n  odd: {written}\n")
    with pytest.raises(SpecError) as raised:
        show(load_catalog(document), "odd")
    assert str(raised.value).startswith(f"{document}:{said} 'nothing'")


def test_lists_of_one_domain_with_a_column():
    asked = list_definitions(CATALOG, "relations", "term_discovery", "speaker")
    names = [line.split()[0] for line in asked.splitlines() if line.startswith("  ")]
    keys = [key for key in CATALOG.keys("relations") if key.domain == "term_discovery"]
    assert sorted(names) == sorted(key.name for key in keys if "speaker" in CATALOG.definition(key).column_names)
    assert names


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"domain": "term_discovry"}, "no domain 'term_discovry'; did you mean 'term_discovery'?"),
        ({"column": "speakr"}, "no table or relation has a column 'speakr'; did you mean 'speaker'?"),
    ],
)
def test_lists_refuse_names_that_nothing_has(asked, message):
    with pytest.raises(scorespec.UsageError, match=re.escape(message)):
        list_definitions(CATALOG, "relations", **asked)


def test_a_suite_says_when_metrics_and_reference_points_are_scored() -> None:
    assert "  twv is scored only if threshold is set, or --metric names it\n" in show(CATALOG, "sws2013")
    text = show(CATALOG, "articubench")
    points = text.partition("  reference points (scorespec reference-points):\n")[2].splitlines()
    assert not points[0].endswith("is given.")
    assert re.fullmatch(r"    baseline  .* Only if the input baseline is given\.", points[1])


def test_a_brief_suite_has_the_common_parameters_and_the_names_of_the_others() -> None:
    brief, whole = (show(CATALOG, "der_pyannote", brief=each) for each in (True, False))
    assert "\n    collar = 0.0 s: " in brief
    assert "\n    mapping_time = " not in brief
    assert "\n      mapping_time = " in whole
    (others,) = (line for line in brief.splitlines() if "other parameters: " in line)
    assert "mapping_time" in others
    assert "collar" not in others
