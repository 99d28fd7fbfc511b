"""The fuzzers: each writes the files of one call into a folder and returns the arguments."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import mutations
import pyarrow as pa
import pyarrow.parquet as pq
import yaml
from seeds import DATA, Seed, examples, seeds
from transcripts import transcripts

from scorespec.catalog.documents import shipped

TOY = DATA / "toy"


def readers(random: Random, folder: Path) -> list[str]:
    """A seed, of whose files one is changed, sometimes several times, sometimes packed."""
    seed = random.choice(seeds())
    changed = random.choice(sorted(seed.files))
    inputs = dict(seed.inputs)
    for name, data in seed.files.items():
        if name == changed:
            data = mutations.mutate(random, data, random.choice((1, 1, 1, 2, 5)))
            if random.random() < 0.15:
                data = mutations.damage(random, data)
                inputs = {key: _packed(path, name) for key, path in inputs.items()}
                name += ".gz"
        (folder / name).write_bytes(data)
    return Seed(seed.suite, {}, inputs, seed.options).arguments()


def _packed(path: str, name: str) -> str:
    file, colons, format_ = path.partition("::")
    return f"{file}.gz{colons}{format_}" if file == name else path


# -- types -----------------------------------------------------------------------------------------

WHOLE = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
TIMES = [
    *(pa.date32(), pa.date64(), pa.time32("s"), pa.time64("ns")),  # Parquet has no intervals
    *(pa.timestamp(unit) for unit in ("s", "ms", "us", "ns")),
    *(pa.duration(unit) for unit in ("s", "ns")),
    pa.timestamp("us", "Europe/Paris"),
]
FLAT = [
    *(pa.null(), pa.bool_(), *WHOLE, pa.float16(), pa.float32(), pa.float64(), *TIMES),
    *(pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.binary(4)),
    *(pa.decimal128(5, 2), pa.decimal128(38, 0), pa.decimal128(38, 37), pa.decimal256(60, 3)),
]
NESTED: list[Callable[[pa.DataType], pa.DataType]] = [
    pa.list_,
    pa.large_list,
    lambda kind: pa.list_(kind, 2),
    lambda kind: pa.list_(pa.list_(kind)),
    lambda kind: pa.struct([("a", kind), ("b", pa.string())]),
    lambda kind: pa.map_(pa.string(), kind),
]


def columns(random: Random, folder: Path) -> list[str]:
    """An example as Parquet, in which one column has another type, or the columns are other ones."""
    suite, tables = random.choice(examples())
    changed = random.choice(sorted(tables))
    arguments = ["score", suite]
    for name, (_, data) in tables.items():
        if name == changed and random.random() < 0.9:
            data = _with_another_type(random, data)
        elif name == changed:
            data = _with_other_columns(random, data)
        path = folder / f"{name}.parquet"
        pq.write_table(data, path, row_group_size=random.choice((1, 2, 1000)))
        arguments.append(f"{name}={path.name}")
    return arguments


def _with_another_type(random: Random, data: pa.Table) -> pa.Table:
    at = random.randrange(data.num_columns)
    kind = random.choice(FLAT)
    if random.random() < 0.3:
        kind = random.choice(NESTED)(kind)
    values = _values(random, data.column(at), kind)
    if random.random() < 0.15 and not pa.types.is_nested(kind) and not pa.types.is_null(kind):
        values = values.dictionary_encode()
    return data.set_column(at, data.schema.names[at], values)


def _values(random: Random, column: Any, kind: pa.DataType) -> pa.Array:
    """The values of a column in another type, where they can be; else some of that type, and nulls."""
    if random.random() < 0.5:
        try:
            return column.combine_chunks().cast(kind)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            pass  # Arrow has no cast between the two types, or not of these values
    values = [None if random.random() < 0.15 else _value(random, kind) for _ in range(len(column))]
    return pa.array(values, kind)


def _value(random: Random, kind: pa.DataType) -> Any:
    test = pa.types
    if test.is_null(kind):
        return None
    if test.is_boolean(kind):
        return random.random() < 0.5
    if test.is_integer(kind):
        limit = 2 ** (kind.bit_width - 1)
        return random.choice((0, 1, 2, limit - 1, *([] if test.is_unsigned_integer(kind) else [-1, -limit])))
    if test.is_floating(kind):
        return random.choice(
            (0.0, 0.5, -1.0, float("nan"), float("inf"), 1e4, *([1e308] if kind.bit_width == 64 else []))
        )
    if test.is_decimal(kind):
        return random.choice((decimal.Decimal(0), decimal.Decimal(1), decimal.Decimal(-2)))
    if test.is_string(kind) or test.is_large_string(kind):
        return random.choice(mutations.ODD)
    if test.is_fixed_size_binary(kind):
        return bytes(random.randrange(256) for _ in range(kind.byte_width))
    if test.is_binary(kind) or test.is_large_binary(kind):
        return random.choice((b"", b"\xff\x00", b"a"))
    return _nested(random, kind) if test.is_nested(kind) else _time(random, kind)


def _nested(random: Random, kind: pa.DataType) -> Any:
    test = pa.types
    if test.is_fixed_size_list(kind):
        return [_value(random, kind.value_type) for _ in range(kind.list_size)]
    if test.is_list(kind) or test.is_large_list(kind):
        return [_value(random, kind.value_type) for _ in range(random.randrange(4))]
    if test.is_struct(kind):
        return {each.name: _value(random, each.type) for each in kind}
    return [(key, _value(random, kind.item_type)) for key in ("a", "b")[: random.randrange(3)]]


def _time(random: Random, kind: pa.DataType) -> Any:
    test = pa.types
    moment = datetime.datetime(random.choice((1700, 1970, 2024, 2200)), 2, 3, 4, 5, 6)
    if test.is_date(kind):
        return moment.date()
    if test.is_time(kind):
        return moment.time()
    if test.is_duration(kind):
        return datetime.timedelta(seconds=random.choice((-1, 0, 7)))
    return moment


def _with_other_columns(random: Random, data: pa.Table) -> pa.Table:
    names = list(data.schema.names)
    at = random.randrange(len(names))
    match random.randrange(5):
        case 0:
            return data.drop_columns([names[at]])
        case 1:
            names[at] = random.choice((*mutations.ODD, names[0].upper(), "line", "file_row_number", "rowid"))
            return data.rename_columns(names)
        case 2:
            return data.append_column(random.choice(("line", "x", "", names[at])), data.column(at))
        case 3:
            return data.slice(0, 0)
        case _:
            return data.select(random.sample(names, len(names)))


# -- documents -------------------------------------------------------------------------------------


OTHER = "other_"


@cache
def _documents() -> dict[str, dict[str, Any]]:
    """The documents of each domain that ships, under another name of the domain, and those of the toy; by path."""
    found: dict[str, dict[str, Any]] = {}
    for root in (*(path for path in shipped("specs").iterdir() if path.is_dir()), TOY):
        for path in sorted(root.rglob("*.yaml")):
            definitions, *_ = yaml.safe_load_all(path.read_text(encoding="utf-8"))
            tree = {key: value for key, value in definitions.items() if key not in ("cases", "examples")}
            tree["domain"] = f"other_{root.name}"
            if tree.keys() - {"domain", "suite"}:  # a document is not empty
                found.setdefault(root.name, {})[path.relative_to(root).as_posix()] = tree
    return {domain: _with_other_suites(trees) for domain, trees in found.items()}


def _with_other_suites(trees: dict[str, Any]) -> dict[str, Any]:
    """The documents of a domain with other names of its suites: a name of a suite is unique."""
    suites = {name for tree in trees.values() for name in tree.get("suites", ())}

    def other(text: Any, whole: bool) -> Any:
        named = isinstance(text, str) and text.split(".")[0] in suites and (whole or "." in text)
        return OTHER + text if named else text

    for tree in trees.values():
        tree |= {"suite": OTHER + tree["suite"]} if "suite" in tree else {}
        tree |= {"suites": {OTHER + name: suite for name, suite in tree["suites"].items()}} if "suites" in tree else {}
        of_metrics = [("metrics", "extends", False), ("relations", "extends", False)]
        for section, key, whole in [("suites", "extends", True), ("suites", "based_on", True), *of_metrics]:
            for each in tree.get(section, {}).values():
                each |= {key: other(each[key], whole)} if key in each else {}
        for suite in tree.get("suites", {}).values():
            suite |= {"metrics": [other(text, False) for text in suite["metrics"]]} if "metrics" in suite else {}
    return trees


@cache
def _templates(domain: str) -> dict[str, str]:
    """The templates of a domain that ships, or of the toy, by the path that they have beside its documents."""
    root = TOY if domain == TOY.name else shipped("sql") / domain
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in root.rglob("*.sql")}


def documents(random: Random, folder: Path) -> list[str]:
    """The documents of a domain, one of them changed, and a call that uses them."""
    calls = [each for each in seeds() if each.suite != "quiz"]
    seed = random.choice(calls) if random.random() < 0.6 else _toy(folder)
    for name, data in seed.files.items():
        (folder / name).write_bytes(data)
    domain, trees = next(
        (domain, trees)
        for domain, trees in _documents().items()
        if any(OTHER + seed.suite in tree.get("suites", {}) for tree in trees.values())
    )
    used = [name for name, tree in trees.items() if tree.keys() & {"suites", "relations", "metrics", "tables"}]
    changed = random.choice(sorted(used))
    for name, tree in trees.items():
        if name == changed:
            for _ in range(random.choice((1, 1, 2))):
                tree = mutations.graft(random, tree)
        text = yaml.safe_dump(tree, allow_unicode=True, sort_keys=False)
        if name == changed and random.random() < 0.1:
            text = mutations.mutate(random, text.encode()).decode("utf-8", "replace")
        _write(folder / "mine" / name, text)
    templates = _templates(domain)
    worded = {name for name in templates if random.random() < (0.2 if domain == TOY.name else 0.02)}
    for name, text in templates.items():
        _write(folder / "mine" / name, mutations.words(random, text) if name in worded else text)
    arguments = seed.arguments() if random.random() < 0.9 else ["check", "mine"]
    return (
        arguments
        if arguments[0] == "check"
        else [arguments[0], OTHER + arguments[1], *arguments[2:], "--specs", "mine"]
    )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


ANSWERS = b"file,speaker,item,said,wanted,score\nann,ann,i1,yes,yes,0.9\nann,bob,i2,no,yes,0.8\nbob,bob,i1,,yes,-1\n"
TOY_INPUTS = {
    "answers": ("answers.csv", ANSWERS),
    "items": ("items.csv", b"item,topic\ni1,a\ni2,b\ni3,b\n"),
    "trials": ("trials.csv", b"speaker,asked\nann,3\nbob,4\n,9\n"),
    "parts": ("parts.csv", b"part,file\n1,ann\n2,bob\n"),
}


def _toy(folder: Path) -> Seed:
    files = dict(TOY_INPUTS.values())
    return Seed("quiz", files, {name: path for name, (path, _) in TOY_INPUTS.items()}, ("--by", "speaker"))


# -- calls -----------------------------------------------------------------------------------------

PLACES = (
    *(
        "",
        ".",
        "..",
        "/",
        "/dev/null",
        "/dev/zero",
        "/dev/full",
        "/proc/self/mem",
        "/proc/self/environ",
        "~",
        "~/x",
        "~x",
    ),
    *(
        "nothere",
        "nothere/x",
        "folder",
        "empty",
        "a\nb",
        "a b.csv",
        "*.csv",
        "[a]",
        "'",
        '"',
        ";",
        "-",
        "--",
        "x" * 300,
    ),
    *(
        "folder/" * 900 + "x",
        "\x1b[31m",
        "\u202e",
        "é",
        "md:x",
        "s3://x/y",
        "http://localhost:1/x.csv",
        "r.duckdb",
        "old.db",
    ),
)
NUMBERS = (
    "0",
    "1",
    "-1",
    "2",
    "1e400",
    "nan",
    "inf",
    "-inf",
    "1_0",
    "١",
    "",
    "x",
    "9" * 400,
    "0.1",
    "[]",
    "[a,b]",
    "true",
    "null",
)
SIZES = ("1MB", "64MB", "500MB", "1KB", "0", "-1GB", "1e3MB", "99999TB", "inf", "x", "1 GB", "50%", "")


def calls(random: Random, folder: Path) -> list[str]:
    """A command with odd arguments, in a folder with some files."""
    seed = random.choice([each for each in seeds() if random.random() < 0.3] or seeds())
    for name, data in seed.files.items():
        (folder / name).write_bytes(data)
    (folder / "folder").mkdir()
    (folder / "empty").write_bytes(b"")
    (folder / "old.db").write_bytes(b"SQLite format 3\x00" + bytes(100))
    (folder / "mine.yaml").write_text("domain: mine\ncolumns: {a: x}\n", encoding="utf-8")
    options = [each for _ in range(random.randrange(4)) for each in _option(random, seed)]
    match random.randrange(10):
        case 0 | 1 | 2 | 3 | 4:
            arguments = [*seed.arguments(), *options]
            if random.random() < 0.3:
                at = random.randrange(2, len(arguments))
                arguments[at] = f"{arguments[at].partition('=')[0]}={random.choice(PLACES)}"
        case 5:
            arguments = ["compile", *seed.arguments()[1:], *options]
        case 6:
            arguments = ["explain", seed.suite, _name(random), *seed.arguments()[2:], *options]
        case 7:
            arguments = [random.choice(("show", "list", "demo")), _name(random)]
        case 8:
            arguments = [
                "query",
                random.choice(PLACES),
                random.choice(("SELECT 1", "", "x", "COPY t TO 'x'", "\x00"[:0])),
            ]
        case _:
            arguments = [random.choice(("check", "schema", "nope", "", "-h")), random.choice(PLACES)]
    if random.random() < 0.2:
        arguments.insert(
            random.randrange(len(arguments) + 1), random.choice((*PLACES, "--nope", "--threads", "-o", "="))
        )
    return arguments


def _name(random: Random) -> str:
    return random.choice(("token", "wer", "ned", "tokens", "audio", "matching", *PLACES, *mutations.ODD[:40]))


@cache
def _known() -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Names of parameters, columns and metrics, of all domains."""
    from scorespec.catalog.lookup import load_catalog

    catalog = load_catalog()
    relations = [catalog.definition(key) for key in catalog.keys("relations")]
    tables = [catalog.definition(key) for key in catalog.keys("tables")]
    parameters = sorted({each.name for relation in relations for each in relation.params})
    found = sorted({each.name for definition in (*relations, *tables) for each in definition.columns})
    return tuple(parameters), tuple(found), tuple(catalog.names("metrics"))


def _option(random: Random, seed: Seed) -> list[str]:
    parameters, found, metrics = _known()
    value = random.choice((*NUMBERS, *mutations.ODD[:40]))
    called = f"{random.choice(metrics)}({random.choice(parameters)}={value})"
    return random.choice(
        (
            ["--param", f"{random.choice(parameters)}={value}"],
            ["--by", random.choice((random.choice(found), f"{random.choice(found)},{random.choice(found)}", value))],
            ["--metric", random.choice((random.choice(metrics), called, value))],
            ["--format", random.choice(("json", "csv", "table", "x", ""))],
            ["--memory-limit", random.choice(SIZES)],
            ["--threads", random.choice(("1", "2", "0", "-1", "x", "1.5", "99999999999"))],
            ["--temp-dir", random.choice((*PLACES, "folder"))],
            ["-o", random.choice((*PLACES, "r.duckdb", "folder/r.duckdb"))],
            ["--specs", random.choice((*PLACES, "mine.yaml"))],
            ["--profile"],
            ["--quiet"],
        )
    )  # fmt: skip


def warm_up() -> None:
    """Read what the calls are made from, which forked processes then have."""
    seeds()
    _documents()
    _known()
    for domain in _documents():
        _templates(domain)


FUZZERS: dict[str, Callable[[Random, Path], list[str]]] = {
    "readers": readers,
    "columns": columns,
    "documents": documents,
    "calls": calls,
    "transcripts": transcripts,
}
