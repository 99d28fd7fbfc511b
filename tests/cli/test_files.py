"""Where inputs are read from: pipes, files that change, odd paths; and what is recorded of them."""

from __future__ import annotations

import hashlib
import os
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import DATA, SUITE, Command

import scorespec
from marks import first
from scorespec.core.terminal import visible
from scorespec.errors import InputError, RunError, UsageError
from scorespec.run import runner
from scorespec.run.inputs.files import HashedPath
from scorespec.run.limits import Limits

GIVEN = {"phones": str(DATA / "alpha.phn"), "words": str(DATA / "alpha.wrd"), "metrics": "token"}
SUBMISSION = DATA / "alpha.random.class"


@contextmanager
def piped(path: Path, data: bytes) -> Iterator[None]:
    """Inside the block somebody writes into a named pipe, once."""
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(data,), daemon=True)
    writer.start()
    yield
    writer.join(10)
    assert not writer.is_alive()


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A submission in several formats, by the suffix."""
    import gzip

    rows, cluster = [], ""
    for line in SUBMISSION.read_text().splitlines():
        if line.startswith("Class"):
            cluster = line.split()[1]
        elif line:
            rows.append([*line.split(), cluster, "x"])
    columns = list(zip(*rows, strict=True))
    names = ["file", "onset", "offset", "cluster", "mine"]
    table = pa.table(columns, names=names)
    for place in (1, 2):
        table = table.set_column(place, names[place], table[place].cast(pa.float64()))
    pq.write_table(table, (path := tmp_path_factory.mktemp("forms") / "a.parquet"))
    text = SUBMISSION.read_bytes()
    csv = "\n".join(",".join(row) for row in [names, *rows]).encode()
    return {"class": text, "class.gz": gzip.compress(text), "csv": csv, "parquet": path.read_bytes()}


@pytest.mark.parametrize("suffix", first(["class", "parquet", "class.gz", "csv"], 1))
def test_a_pipe_is_scored_and_recorded_like_a_file(tmp_path: Path, forms: dict[str, bytes], suffix: str) -> None:
    data = forms[suffix]
    (tmp_path / f"file.{suffix}").write_bytes(data)
    of_file = scorespec.score(SUITE, **GIVEN, fragments=tmp_path / f"file.{suffix}")
    with piped(tmp_path / f"pipe.{suffix}", data):
        of_pipe = scorespec.score(SUITE, **GIVEN, fragments=tmp_path / f"pipe.{suffix}")
    assert of_pipe.table() == of_file.table()
    for run, name in ((of_file, "file"), (of_pipe, "pipe")):
        (found,) = run.sql("SELECT path, bytes, sha256 FROM inputs WHERE name = 'fragments'").to_pylist()
        digest = hashlib.sha256(data).hexdigest()
        assert found == {"path": str(tmp_path / f"{name}.{suffix}"), "bytes": len(data), "sha256": digest}


@pytest.mark.parametrize("suffix", first(["tsv", "parquet"]))
def test_a_pipe_whose_columns_are_asked_for_first(tmp_path: Path, suffix: str) -> None:
    names = [f"Q{number}" for number in range(1, 9)]
    table = pa.table({"query": names, "text": names, "mine": ["x", *"yyyyyyy"]})
    pq.write_table(table, tmp_path / "q.parquet")
    text = "\n".join("\t".join(row) for row in [table.column_names, *zip(*table.to_pydict().values(), strict=True)])
    data = text.encode() if suffix == "tsv" else (tmp_path / "q.parquet").read_bytes()
    small = DATA.parent / "term_detection" / "small"
    inputs = {
        "references": small / "refs.tsv",
        "audio": small / "docs.tsv",
        "detections": small / "dets.tsv",
        "metrics": "atwv",
    }
    with piped(tmp_path / f"pipe.{suffix}", data):
        run = scorespec.score("std2006", **inputs, queries=tmp_path / f"pipe.{suffix}", by="mine")
    assert {"mine": "x"} in [row["slice"] for row in run.table()]


def test_a_message_quotes_from_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    with piped(pipe, b"Class 1\nalpha_sa1 3.20 0.4\n"), pytest.raises(InputError) as caught:
        scorespec.score(SUITE, **GIVEN, fragments=pipe)
    assert str(caught.value).startswith(f"{pipe}:2: ")
    assert "3.20" in str(caught.value)


def test_copies_of_pipes_are_gone_after_the_run(tmp_path: Path, forms: dict[str, bytes]) -> None:
    (tmp_path / "spill").mkdir()
    with piped(tmp_path / "pipe.class", forms["class"]):
        scorespec.score(
            SUITE, **GIVEN, fragments=tmp_path / "pipe.class", temp_dir=tmp_path / "spill", keep_evidence=False
        )
    assert list((tmp_path / "spill").iterdir()) == []


# -- files that change -----------------------------------------------------------------------------


def test_a_hash_is_of_what_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "sub.class"
    path.write_bytes(SUBMISSION.read_bytes())
    run_steps = runner.Runner.run_steps

    def replaced(self: Any, *arguments: Any) -> None:
        path.write_bytes(b"Class 1\n")
        run_steps(self, *arguments)

    monkeypatch.setattr(runner.Runner, "run_steps", replaced)
    run = scorespec.score(SUITE, **GIVEN, fragments=path)
    (found,) = run.sql("SELECT bytes, sha256 FROM inputs WHERE name = 'fragments'").to_pylist()
    data = SUBMISSION.read_bytes()
    assert found == {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


@pytest.mark.parametrize("given", ["sub.parquet", "*.parquet"])
def test_a_parquet_file_that_changes_while_it_is_loaded(
    tmp_path: Path, forms: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    from scorespec.run.inputs import loading

    path = tmp_path / "sub.parquet"
    path.write_bytes(forms["parquet"])
    (tmp_path / "another.parquet").write_bytes(forms["parquet"])
    hash_file = loading.hash_file

    def replaced(given: Path) -> Any:
        content = hash_file(given)
        (tmp_path / "other").write_bytes(forms["parquet"])
        os.replace(tmp_path / "other", path)
        return content

    monkeypatch.setattr(loading, "hash_file", replaced)
    with pytest.raises(InputError, match=r"sub\.parquet: was changed while it was read; score it again"):
        scorespec.score(SUITE, **GIVEN, fragments=tmp_path / given)


def test_nothing_is_hashed_that_is_not_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    from scorespec.run.inputs import loading

    monkeypatch.setattr(loading, "HashedPath", None)
    monkeypatch.setattr(loading, "hash_file", None)
    scorespec.score(SUITE, **GIVEN, fragments=SUBMISSION, keep_evidence=False)


def test_a_file_is_hashed_to_its_end_in_any_pieces(tmp_path: Path) -> None:
    path = HashedPath(tmp_path / "x")
    Path(path).write_text("some text")
    with path.open("rb", buffering=0) as file:
        while file.read(3):
            pass
    assert path.content is not None
    assert (path.content.bytes, path.content.sha256) == (9, hashlib.sha256(b"some text").hexdigest())


# -- paths -----------------------------------------------------------------------------------------

HINT = "; ~ is not expanded here, write the whole path"
MISSING = {
    "nothere": "nothere: no such file",
    "~/sub.parquet": f"~/sub.parquet: no such file{HINT}",
    "a" * 300: f"{'a' * 300}: cannot be read: file name too long",
    "sub\0.class": "sub\\x00.class: cannot be read: embedded null byte",
    "sub\udcff.class": "sub\\xff.class: no such file",
    "alpha.phn/x": "alpha.phn/x: cannot be read: not a directory",
}


@pytest.mark.parametrize("suffix", first(["", ".parquet"]))
@pytest.mark.parametrize("name", MISSING)
def test_paths_without_a_file(folder: Path, name: str, suffix: str) -> None:
    with pytest.raises(InputError) as caught:
        scorespec.score(SUITE, **GIVEN, fragments=name + suffix)
    shown = visible(name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"))
    assert str(caught.value) == MISSING[name].replace(shown + ":", f"{shown}{suffix}:")


@pytest.mark.parametrize("name", first(["~/sub", "a\nb", "a\udcffb", "~"], 1))
def test_odd_names_are_of_files_in_this_folder(folder: Path, forms: dict[str, bytes], name: str) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    tables = []
    for suffix in ("class", "parquet"):
        (folder / f"{name}.{suffix}").write_bytes(forms[suffix])
        run = scorespec.score(SUITE, **GIVEN, fragments=f"{name}.{suffix}")
        tables.append(run.table())
        (path,) = run.sql("SELECT path FROM inputs WHERE name = 'fragments'").to_pylist()
        assert path["path"] == f"{folder}/{name}.{suffix}".replace("\udcff", "\\xff")
    assert tables[0] == tables[1]


def test_a_message_about_parquet_names_the_file_that_was_given(folder: Path) -> None:
    (folder / "sub.parquet").write_text("Class 1\n")
    with pytest.raises(InputError, match=r"^sub\.parquet: cannot be read: .*'sub\.parquet'"):
        scorespec.score(SUITE, **GIVEN, fragments="sub.parquet")


@pytest.mark.parametrize("name", first(["a*b", "[x]", "~", "it's"]))
def test_odd_folders_for_the_work(folder: Path, forms: dict[str, bytes], name: str) -> None:
    (folder / name).mkdir()
    (folder / "sub.parquet").write_bytes(forms["parquet"])
    scorespec.score(SUITE, **GIVEN, fragments="sub.parquet", temp_dir=name)
    assert list((folder / name).iterdir()) == []


# -- objects whose own code fails ------------------------------------------------------------------


class OwnError(Exception):
    """An exception of the user's."""


SCHEMA = pa.schema([("file", pa.string()), ("onset", pa.float64()), ("offset", pa.float64()), ("cluster", pa.string())])


def rows_then(error: BaseException) -> Iterator[Any]:
    yield pa.record_batch([["alpha_sa1"], [0.0], [1.0], ["1"]], schema=SCHEMA)
    raise error


class Stream:
    """An object that gives its rows as a stream of C, and no more than that."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __arrow_c_stream__(self, requested: Any = None) -> Any:
        return pa.RecordBatchReader.from_batches(SCHEMA, rows_then(self.error)).__arrow_c_stream__(requested)


@pytest.mark.parametrize("error", [OwnError("mine"), KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_an_exception_of_a_reader_is_not_an_error_of_the_input(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught:
        scorespec.score(SUITE, **GIVEN, fragments=pa.RecordBatchReader.from_batches(SCHEMA, rows_then(error)))
    assert caught.value is error


@pytest.mark.parametrize(
    ("error", "raised"), [(OwnError("mine"), pa.ArrowException), (KeyboardInterrupt(), KeyboardInterrupt)]
)
def test_of_a_stream_of_c_it_is_what_arrow_makes_of_it(error: BaseException, raised: type[BaseException]) -> None:
    with pytest.raises(raised):
        scorespec.score(SUITE, **GIVEN, fragments=Stream(error))


# -- limits of the machine -------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [40000, 0, -1])
def test_threads_that_no_machine_has(threads: int) -> None:
    with pytest.raises(UsageError, match=rf"^--threads {threads}: it must be a whole number between 1 and 1,024$"):
        scorespec.score(SUITE, **GIVEN, fragments=SUBMISSION, threads=threads)


def test_little_address_space(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (2**29, 2**29))
    with pytest.raises(RunError, match=r"limited to 512 MiB \(ulimit -v\); scoring takes at least 1,536 MiB"):
        scorespec.score(SUITE, **GIVEN, fragments=SUBMISSION)


def test_little_address_space_is_told_before_libraries_are_loaded(
    cli: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (2**27, 2**27))
    result = cli("list", "suites")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("error: the address space of this process is limited to 128 MiB")


def test_half_of_the_address_space_is_for_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (2**31, 2**31))
    assert Limits().memory_limit == "1024MiB"
