"""--reuse: what an earlier run has read and computed is taken from a folder, and gives the same results."""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from command_line import DATA, PHONES, RELATION, SUITE, WORDS, Command, rows_of_tables

import scorespec
from examples import SUITES, inputs_of
from marks import first, only, slow
from scorespec.core.events import Event, RunsEstimated
from scorespec.reuse import Reusing, read_reusing
from scorespec.reuse import addresses as reuse_addresses
from scorespec.reuse import kept_steps as reuse
from scorespec.reuse import store as reuse_store
from scorespec.reuse.addresses import Addresses, identity
from scorespec.reuse.store import Artefact, Store, kept_in, trim, write_rows
from scorespec.run import runner
from scorespec.run.inputs import several
from scorespec.run.inputs.files import Content
from scorespec.run.inputs.sources import find_source
from scorespec.run.limits import Limits
from scorespec.run.session import open_session

SMALL = DATA.parent / "term_detection" / "small"
SEARCH = {"queries": "queries.tsv", "audio": "docs.tsv", "references": "refs.tsv", "detections": "dets.tsv"}
MTWV: dict[str, Any] = {"metrics": "mtwv", "keep_evidence": False}
OLD = 10**9  # a time of modification long ago, in seconds


@pytest.fixture
def every(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of every input and step are kept, however quickly they were made."""
    monkeypatch.setattr(reuse, "LEAST", -1.0)
    monkeypatch.setattr(reuse, "WORTH", math.inf)
    monkeypatch.setattr(reuse, "SHARE", math.inf)


@pytest.fixture
def search(every: None, tmp_path: Path) -> Callable[..., scorespec.Run]:
    """Scores a search by `mtwv`, with the folder `kept`; the files of the search are in the folder, too."""
    for name in SEARCH.values():
        shutil.copy(SMALL / name, tmp_path)
        os.utime(tmp_path / name, (OLD, OLD))

    def run(**options: Any) -> scorespec.Run:
        inputs = {name: tmp_path / file for name, file in SEARCH.items()}
        return scorespec.score("sws2013", inputs=inputs, **{**MTWV, "reuse": tmp_path / "kept", **options})

    return run


def scored(run: scorespec.Run) -> tuple[Any, ...]:
    return run.scores.to_pylist(), run.warnings, run._outcome.inputs


def notes(run: scorespec.Run) -> dict[str, str]:
    """How each input and step was made; '' for those that were read or run."""
    return {cost.label: cost.note for cost in run.costs}


def done(run: scorespec.Run) -> set[str]:
    """The inputs that were read, and the steps that were run."""
    return {label for label, note in notes(run).items() if not note}


def kept_rows(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/rows.parquet"))


# -- the same results --------------------------------------------------------------------------------


# All steps of sws2012 and sws2013 but one have the SQL of those of std2006, and the tests of a search score sws2013.
@pytest.mark.parametrize("suite", only(["speech_ne"], sorted({*SUITES} - {"sws2012", "sws2013"})))
def test_results_are_the_same_whatever_is_reused(suite: str, every: None, tmp_path: Path) -> None:
    inputs = {}
    for name, table in inputs_of(suite).items():
        inputs[name] = tmp_path / f"{name}.parquet"
        pq.write_table(table, inputs[name])
    options = {"inputs": inputs, "reuse": tmp_path / "kept"}
    first = scorespec.score(suite, output=tmp_path / "first.duckdb", **options)
    assert {*notes(first).values()} == {""}
    chosen = random.Random(suite)
    kept = [each for each in (tmp_path / "kept").iterdir() if len(each.name) == 64]
    for place in sorted(kept, key=lambda each: each.stat().st_mtime_ns):  # their names depend on versions
        if chosen.random() < 0.3:
            shutil.rmtree(place)
    again = scorespec.score(suite, output=tmp_path / "again.duckdb", **options)
    assert {"reused", "not needed"} <= {*notes(again).values()}
    assert scored(again) == scored(first)
    assert rows_of_tables(tmp_path / "again.duckdb") == rows_of_tables(tmp_path / "first.duckdb")


def test_nothing_is_read_or_run_twice(search: Callable[..., scorespec.Run]) -> None:
    first = search()
    again = search()
    assert not done(again)
    assert notes(again)["load detections"] == notes(again)["relation candidate_pairs"] == "not needed"
    assert notes(again)["metric mtwv, scores"] == "reused"
    assert scored(again) == scored(first) == scored(search(reuse=None))


def test_after_a_parameter_has_changed_only_steps_that_depend_on_it_are_run(
    search: Callable[..., scorespec.Run],
) -> None:
    before = scorespec.compile("sws2013", metrics="mtwv", keep_evidence=False, inputs=SEARCH)
    plan = scorespec.compile("sws2013", metrics="mtwv", params={"tolerance": 0.4}, keep_evidence=False, inputs=SEARCH)
    changed = {each.label for each in {*plan.steps} - {*before.steps} if not each.view}
    assert "relation alignment" in changed
    assert "relation located_occurrences" not in changed
    search()
    again = search(params={"tolerance": 0.4})
    assert done(again) == changed
    assert scored(again) == scored(search(params={"tolerance": 0.4}, reuse=None))


def test_a_file_is_known_by_its_content(search: Callable[..., scorespec.Run], tmp_path: Path) -> None:
    first = search()
    file = tmp_path / "dets.tsv"
    shutil.copy(file, tmp_path / "copy.tsv")
    (tmp_path / "copy.tsv").replace(file)  # another time and file, the same content
    assert not done(search())
    header, _, *lines = file.read_text().splitlines()
    file.write_text("\n".join([header, *lines]) + "\n")
    changed = search()
    assert "load detections" in done(changed)
    assert "load references" not in done(changed)
    assert scored(changed) == scored(search(reuse=None)) != scored(first)


def test_a_file_of_equal_size_and_time_is_read_again(
    search: Callable[..., scorespec.Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Archives that are built reproducibly give every file the same time of modification."""
    monkeypatch.setattr(reuse_store, "JUST_NOW", -1)  # hashes are kept even of files that were just written
    file, first = tmp_path / "dets.tsv", search()
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], *(line.replace("\t0.", "\t1.") for line in lines[1:])]) + "\n")
    os.utime(file, (OLD, OLD))
    changed = search()
    assert "load detections" in done(changed)
    assert scored(changed) == scored(search(reuse=None)) != scored(first)


@slow
def test_a_new_process_takes_what_another_has_kept_of_every_format(tmp_path: Path) -> None:
    """The second process reads nothing, adds nothing to the folder, and has the same addresses for all formats."""
    for name, words in (("r.stm", "a b c"), ("h.stm", "a b d")):
        (tmp_path / name).write_text(f"rec A s1 0 5 {words}\n")
    program = [sys.executable, str(Path(__file__).with_name("two_processes.py")), str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    first, again = (json.loads(subprocess.check_output(program, env=environment)) for _ in range(2))
    assert again["addresses"] == first["addresses"]
    assert [name for name, address in first["addresses"].items() if address is None] == ["odd"]
    assert first["done"]
    assert (again["done"], again["kept"], again["value"]) == ([], first["kept"], first["value"])


def test_checks_of_a_new_submission_read_gold_that_is_kept(
    search: Callable[..., scorespec.Run], tmp_path: Path
) -> None:
    search()
    with (tmp_path / "dets.tsv").open("a") as file:
        file.write((tmp_path / "dets.tsv").read_text().splitlines()[1].replace("\t", "x\t", 1) + "\n")
    with pytest.raises(scorespec.InputError) as reused:
        search()
    with pytest.raises(scorespec.InputError) as plain:
        search(reuse=None)
    assert str(reused.value) == str(plain.value)


@pytest.mark.parametrize("share", first([math.inf, 0.0]))
def test_dropped_rows_and_warnings_are_repeated(
    share: float, every: None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reuse, "SHARE", share)
    lines = (DATA / "alpha.overlap.class").read_text().splitlines()
    (folder / "bad.class").write_text(
        "\n".join([lines[0], "alpha_sa1 0.50 0.50", "alpha_sa2 half 1", *lines[1:2], *lines[1:]])
    )
    inputs = {"phones": "alpha.phn", "words": "alpha.wrd", "fragments": "bad.class"}
    options: dict[str, Any] = {"inputs": inputs, "metrics": "token", "on_bad_row": "drop", "reuse": "kept"}
    first = scorespec.score(SUITE, output="first.duckdb", **options)
    again = scorespec.score(SUITE, output="again.duckdb", **options)
    assert sum("dropped, at line" in each for each in first.warnings) == 2
    assert ("load fragments" in done(again)) == (share == 0)
    assert scored(again) == scored(first)
    assert rows_of_tables(folder / "again.duckdb") == rows_of_tables(folder / "first.duckdb")


def test_several_files_and_columns_that_are_left_out(search: Callable[..., scorespec.Run], tmp_path: Path) -> None:
    header, *lines = (SMALL / "dets.tsv").read_text().splitlines()
    for name, part in (("a", lines[:3]), ("b", lines[3:])):
        (tmp_path / f"{name}.tsv").write_text("\n".join(f"{line}\tx" for line in (header, *part)) + "\n")
    given = {**{name: tmp_path / file for name, file in SEARCH.items()}, "detections": str(tmp_path / "[ab].tsv")}
    first, again = (
        scorespec.score(
            "sws2013", inputs=given, metrics="mtwv", reuse=tmp_path / "kept", output=tmp_path / f"{name}.duckdb"
        )
        for name in ("first", "again")
    )
    assert any("2 files" in each for each in first.warnings)
    assert "load detections" not in done(again)
    assert scored(again) == scored(first)


def test_objects_in_memory_are_read_each_time(every: None, tmp_path: Path) -> None:
    given = inputs_of("sws2013")
    first, again = (scorespec.score("sws2013", inputs=given, metrics="mtwv", reuse=tmp_path / "kept") for _ in range(2))
    assert done(again) == done(first)
    assert scored(again) == scored(first)


def test_many_submissions(every: None, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold = {"phones": "alpha.phn", "words": "alpha.wrd"}
    each = {name: {"fragments": DATA / f"alpha.{name}.class"} for name in ("edges", "jitter")}
    runs = [{"name": name, **one} for name, one in each.items()]
    alone = {name: scorespec.score(SUITE, inputs={**gold, **one}, metrics="token") for name, one in each.items()}
    read: list[str] = []
    monkeypatch.setattr(runner, "load_input", lambda *a: (read.append(a[1].input), several.load_input(*a))[1])
    for _ in range(2):
        batch = scorespec.score_each(SUITE, runs, inputs=gold, metrics="token", reuse="kept")
        assert {name: run.scores.to_pylist() for name, run in batch.runs.items()} == {
            name: run.scores.to_pylist() for name, run in alone.items()
        }
    assert sorted(read) == ["fragments", "fragments", "phones", "words"]
    assert not any(done(run) for run in batch.runs.values())


@slow
def test_intervals_are_the_same_and_their_cost_is_known(every: None, folder: Path) -> None:
    """Jackknife intervals read inputs, and run steps again, that the run itself neither loads nor runs."""
    for name in ("phn", "wrd", "jitter.class"):
        texts = [(DATA / f"{corpus}.{name}").read_text() for corpus in ("alpha", "beta")]  # of 6 files each
        (folder / f"both.{name}").write_text(texts[0] + texts[1].replace("Class ", "Class beta"))
    fragments = [{"name": name, "fragments": "both.jitter.class"} for name in "ab"]  # so that the gold is prepared
    events: list[Event] = []

    def run(name: str, **options: Any) -> scorespec.Run:
        options |= {"metrics": "ned", "confidence": 95, "confidence_groups": 6, "keep_evidence": False}
        options["progress"] = events.append
        inputs = {"phones": "both.phn", "words": "both.wrd"}
        return scorespec.score_each(SUITE, fragments, inputs=inputs, output=f"{name}.duckdb", **options)["a"]

    plain = run("plain")
    first, again = (run(name, reuse="kept") for name in ("first", "again"))
    assert not done(again)
    assert None not in plain.scores["low"].to_pylist()
    assert scored(again) == scored(first) == scored(plain)
    kept, made, alone = (rows_of_tables(folder / f"{name}.duckdb") for name in ("again", "first", "plain"))
    assert kept == made == alone
    assert all(event.seconds > 0 for event in events if isinstance(event, RunsEstimated))


def test_rescoring_reuses_what_has_not_changed(cli: Command, score: Command, every: None, folder: Path) -> None:
    options = ("--metric", "token", "--quiet", "--reuse", "kept")
    score(*options, "--name", "x", "-o", "r.duckdb").scored()
    shutil.copy(DATA / "alpha.edges.class", folder / "alpha.class")
    before = {each.address for each in kept_in(folder / "kept")}
    assert cli("rescore", "r.duckdb", "--reuse", "kept", "--quiet").code == 0
    assert {each.address for each in kept_in(folder / "kept")} > before
    expected = score("--metric", "token", "--quiet", "--format", "csv").scored()
    assert cli("runs", "show", "r.duckdb", "2", "--format", "csv").out == expected


# -- what an address depends on ----------------------------------------------------------------------


@pytest.fixture
def addresses(every: None) -> Callable[..., dict[str, str | None]]:
    """The addresses of the inputs and steps of a search, by label; their names are the same in each test."""

    def find(content: str = "a", **options: Any) -> dict[str, str | None]:
        plan = scorespec.compile("sws2013", inputs=SEARCH, **{**MTWV, **options})
        tables = {table.name: table for table in plan.tables}
        sources = {name: find_source(tables[name], SMALL / file) for name, file in SEARCH.items()}
        contents = {name: Content(1, content if name == "detections" else "x") for name in sources}
        found = Addresses(plan, {name: identity(source, [contents[name]]) for name, source in sources.items()})
        labels = {step.physical: step.label for step in plan.steps}
        rows = {labels.get(name, name): address for name, address in found.rows.items()}
        return {**rows, **{f"checks of {name}": address for name, address in found.checks.items()}}

    return find


CHECKS = {f"checks of {name}" for name in SEARCH}
OF_DETECTIONS = {"detections", "checks of detections", "relation candidate_pairs", "relation scored_detections"}
OF_GOLD = {"references", "relation located_occurrences", "relation targets"}


@pytest.mark.parametrize(
    ("name", "value", "other", "same"),
    [
        ("libraries", lambda: ("0", "0", "0"), OF_DETECTIONS | OF_GOLD, set()),
        ("macro_body", lambda sql: f"({sql})", {"relation located_occurrences"}, {"relation query_texts"}),
        ("_rows_of", lambda table: [table.name], OF_DETECTIONS | OF_GOLD | CHECKS, set()),
        ("_conditions_of", lambda table: [], CHECKS, {"detections", "relation targets"}),
        ("_source_of", lambda _, part: part[:1], {"detections", "relation aligned_pairs"}, set()),
        ("_source_of", lambda _, part: None, {"detections", "relation aligned_pairs"}, set()),
    ],
)
def test_what_an_address_depends_on(
    name: str,
    value: Any,
    other: set[str],
    same: set[str],
    addresses: Callable[..., dict[str, str | None]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = addresses()
    monkeypatch.setattr(reuse_addresses, name, value)
    after = addresses()
    changed = {each for each in before if before[each] != after[each]}
    assert changed >= other
    assert not changed & same


def test_an_address_depends_on_what_is_below_it(addresses: Callable[..., dict[str, str | None]]) -> None:
    before, after = addresses(), addresses("b")
    changed = {each for each in before if before[each] != after[each]}
    assert changed >= OF_DETECTIONS
    assert not changed & (OF_GOLD | {"checks of references"})
    dropping = addresses(on_bad_row="drop")
    assert before["detections"] != dropping["detections"]
    assert before["references"] == dropping["references"]


# -- the folder --------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", first(["a byte", "the file", "a fact"], 2))
def test_a_damaged_result_is_made_again(damage: str, search: Callable[..., scorespec.Run], tmp_path: Path) -> None:
    first = search()
    for file in kept_rows(tmp_path / "kept"):
        data, manifest = bytearray(file.read_bytes()), file.with_name("manifest.json")
        if damage == "a byte":
            data[len(data) // 2] ^= 1
            file.write_bytes(data)
        elif damage == "the file":
            file.unlink()
        else:
            manifest.write_text(manifest.read_text().replace('"rows": ', '"rows": 1'))
    assert scored(search()) == scored(first)
    assert not done(search())


def test_rows_are_kept_if_they_were_expensive(
    search: Callable[..., scorespec.Run], tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(reuse, "LEAST", math.inf)
    first = search()
    assert not kept_rows(tmp_path / "kept")
    monkeypatch.setattr(reuse, "LEAST", -1.0)
    monkeypatch.setattr(reuse, "SHARE", 0.0)
    assert scored(search()) == scored(first)
    assert not kept_rows(tmp_path / "kept")


def store_with(folder: Path, limit: int, names: str) -> Store:
    """A store with a result for each name, whose manifest is a second later than that of the name before."""
    store = Store(Reusing(folder, limit))
    for number, name in enumerate(names):
        store.keep(Artefact(name * 64, f"relation {name}", 1.0))
        os.utime(folder / (name * 64) / "manifest.json", (OLD + number, OLD + number))
    return store


def test_what_was_not_used_for_the_longest_time_is_removed(tmp_path: Path) -> None:
    store_with(tmp_path, 10**6, "abc").close()
    store = Store(Reusing(tmp_path, 10**6))
    assert store.find("a" * 64)
    store.close()
    size = sum(each.stat().st_size for each in tmp_path.rglob("manifest.json"))
    trim(tmp_path, size - 1)
    assert [each.address[0] for each in kept_in(tmp_path)] == ["a", "c"]


def test_a_result_that_another_process_removes_can_still_be_read(tmp_path: Path) -> None:
    with open_session(Limits()) as session:
        session.run("CREATE TABLE t AS SELECT 1 AS x")
        one, other = (Store(Reusing(tmp_path, 10**6)) for _ in range(2))
        artefact = Artefact("a" * 64, "relation a", 1.0)
        for store in (one, other):  # both have made it
            assert store.keep(artefact, ["rows"], lambda _, path: write_rows(session, "t", path, 1, math.inf))
        found = one.find("a" * 64)
        assert found is not None
        path = one.open(found, "rows")
        scorespec.api.clear_reuse(tmp_path)
        assert path is not None
        assert session.rows(found.tables["rows"].query(path)) == [(1,)]
        assert other.find("a" * 64) is None
        assert other.open(found, "rows") is None
        one.close()
        other.close()
    assert [each.name for each in tmp_path.iterdir()] == []


def test_commands(cli: Command, score: Command, every: None, folder: Path) -> None:
    score("--metric", "token", "--quiet", "--reuse", "kept").scored()
    (folder / "kept" / "mine.txt").write_text("mine")
    listed = json.loads(cli("reuse", "list", "kept", "--format", "json").scored())
    assert {"input phones", "relation token_outcomes"} <= {each["result"] for each in listed}
    assert "relation token_outcomes" in cli("reuse", "list", "kept").scored()
    assert cli("reuse", "clear", "kept").scored().startswith(f"{len(listed)} results are removed, ")
    assert [each.name for each in (folder / "kept").rglob("*") if each.is_file()] == ["mine.txt"]
    assert json.loads(cli("reuse", "list", "kept", "--format", "json").scored()) == []
    cli("reuse", "list", "none").refused("error: none: No such file or directory", 2)


def test_a_profile_says_what_is_reused(cli: Command, score: Command, every: None, folder: Path) -> None:
    options = ("--metric", "token", "--profile", "--reuse", "kept")
    assert "reused" not in score(*options).err
    said = score(*options).err
    assert "load phones  (not needed)" in said
    assert "metric token, scores  (reused)" in said
    each = cli("score", SUITE, PHONES, WORDS, "--each", "fragments=alpha.cl*", *options).err
    assert "submission alpha\n" in each
    assert "metric token, scores  (reused)" in each


@pytest.mark.parametrize(("limit", "size"), [("500MB", 500 * 10**6), ("1.5 GiB", 3 * 2**29), ("7b", 7)])
def test_limits(limit: str, size: int) -> None:
    assert read_reusing("kept", limit) == Reusing(Path("kept"), size)


def test_options_that_are_wrong(score: Command, folder: Path) -> None:
    score("--reuse", "kept", "--reuse-limit", "much").refused(
        "error: --reuse-limit 'much': write a size such as 500MB or 20GB", 2
    )
    score("--reuse-limit", "1GB").refused("error: --reuse-limit needs --reuse with the folder that it limits", 2)
    (folder / "file").write_text("")
    score("--reuse", "file").refused("error: --reuse file: cannot make this folder: File exists")


# -- rows --------------------------------------------------------------------------------------------

EXACT = """SELECT * FROM (VALUES
    (1, 0.0::DOUBLE, 170141183460469231731687303715884105727::HUGEINT, '{"a": 1}'::JSON, 'a"', [1.5::DOUBLE, NULL]),
    (2, -0.0::DOUBLE, -1::HUGEINT, '[]'::JSON, '', []),
    (3, 'nan'::DOUBLE, -170141183460469231713240559642174554112::HUGEINT, NULL, 'é', NULL),
    (4, '-inf'::DOUBLE, 18446744073709551616::HUGEINT, NULL, 'a', ['nan'::DOUBLE]),
    (5, NULL, NULL, NULL, NULL, [-0.0::DOUBLE])) AS t("n", "X y", "huge", "json", "text", "list"),
    (SELECT 1.5::DECIMAL(38, 18) AS fixed, true AS truth, 3::UTINYINT AS small, {'a': 1, 'b': ['x']} AS pair)"""


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    with open_session(Limits()) as session:
        session.run(f'CREATE TABLE "a table" AS {EXACT}')
        stored = write_rows(session, "a table", tmp_path / "t.parquet", 5, math.inf)
        assert stored is not None
        session.run(f"CREATE VIEW again AS {stored.query(tmp_path / 't.parquet')}")
        first, again = (
            (session.rows(f"DESCRIBE {name}"), repr(session.rows(f"SELECT * FROM {name} ORDER BY n")))
            for name in ('"a table"', "again")
        )
        assert again == first
        assert session.row('SELECT count(*) FROM again WHERE "X y" > 1e300') == (1,)  # NaN is the largest number


@pytest.mark.parametrize(
    "column",
    first(
        [
            "INTERVAL 1 DAY",
            "'a'::ENUM('a', 'b')",
            "[1::HUGEINT]",
            "(-170141183460469231731687303715884105728)::HUGEINT",
        ],
        2,
    ),
)
def test_rows_that_a_file_would_change_are_not_written(column: str, tmp_path: Path) -> None:
    with open_session(Limits()) as session:
        session.run(f"CREATE TABLE t AS SELECT {column} AS x")
        assert write_rows(session, "t", tmp_path / "t.parquet", 1, math.inf) is None
    assert not [*tmp_path.iterdir()]


def test_writing_ends_when_it_takes_too_long(tmp_path: Path) -> None:
    with open_session(Limits()) as session:
        session.run("CREATE TABLE t AS FROM range(300000)")
        assert write_rows(session, "t", tmp_path / "t.parquet", 300_000, 0.0) is None
    assert not [*tmp_path.iterdir()]


# -- safety ------------------------------------------------------------------------------------------


def test_the_locked_connection_reads_only_the_results_that_are_taken(
    search: Callable[..., scorespec.Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQL that got past all judging reads the files that the run takes, and writes no file of the folder."""
    search()
    tried: dict[str, str] = {}
    lock = reuse.Reuse.checked

    def trying(self: reuse.Reuse, loaded: Any) -> None:
        lock(self, loaded)
        session, kept = self._session, kept_rows(tmp_path / "kept")[0]
        for name, sql in (
            ("kept", f"FROM read_parquet('{kept}')"),
            ("written", f"COPY (SELECT 1) TO '{kept}'"),
            ("taken", f"FROM read_parquet('{next(iter(self._paths.values()))}')"),
        ):
            try:
                session.connection.execute(sql).fetchall()
                tried[name] = ""
            except duckdb.PermissionException:
                tried[name] = "refused"

    monkeypatch.setattr(reuse.Reuse, "checked", trying)
    search()
    assert tried == {"kept": "refused", "written": "refused", "taken": ""}


def test_a_document_does_not_read_the_folder(score: Command, every: None, folder: Path) -> None:
    score("--metric", "token", "--quiet", "--reuse", "kept").scored()
    kept = kept_rows(folder / "kept")[0]
    (folder / "evil.yaml").write_text(RELATION.format(sql=json.dumps(f"FROM read_parquet('{kept}')")))
    score("--specs", "evil.yaml", "--metric", "evil", "--reuse", "kept").refused_with("may not call read_parquet()")
