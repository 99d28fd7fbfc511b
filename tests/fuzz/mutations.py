"""Random changes of bytes, lines, fields and YAML trees."""

from __future__ import annotations

import gzip
from copy import deepcopy
from random import Random
from typing import Any

# Values that readers and parsers of numbers, names and markup have stumbled over.
ODD = (
    *(
        "",
        " ",
        "0",
        "-1",
        "1e309",
        "-1e308",
        "1e-320",
        "nan",
        "inf",
        "-Infinity",
        "NULL",
        "<NA>",
        "0x10",
        "1_0",
        "١",
        "+5",
    ),
    *(
        "9223372036854775808",
        "9007199254740993",
        "1.7976931348623157e308",
        "0.1000000000000000055",
        "1,5",
        "--",
        "'",
        '"',
    ),
    *("\x00", "\x1b[31m", "\u202e", "\ufeff", "\u00a0", "é", "e\u0301", "語", "\U0001f600", "a\tb", "a b", "\\", "%s"),
    *(
        "{}",
        "{{ x }}",
        "{% raw %}",
        "$1",
        "*",
        "?",
        ";",
        "--x",
        "/*",
        "<a>",
        "</a>",
        "&amp;",
        "&#0;",
        "<!--",
        "a" * 3000,
    ),
)
BYTES = (
    b"\x00",
    b"\xff",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\r\n",
    b"\x1a",
    b"\x0c",
    b"\xc3",
    b'"',
    b"<",
    b">",
)
ENCODINGS = ("utf-16", "utf-16-be", "utf-32", "latin-1", "shift_jis", "gb18030", "utf-7", "cp037")


def mutate(random: Random, data: bytes, times: int = 1) -> bytes:
    """A file with some changes of random kinds."""
    for _ in range(times):
        data = random.choice((_bytes, _bytes, _lines, _lines, _fields, _fields, _fields, _encoding, _size))(
            random, data
        )
    return data


def _bytes(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    return random.choice(
        (
            data[:at] + random.choice(BYTES) + data[at:],
            data[:at] + bytes([random.randrange(256)]) + data[at + 1 :],
            data[:at] + data[at + random.randrange(1, 9) :],
            data[:at],
            data[at:],
        )
    )


def _lines(random: Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    at, other = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[other])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines.insert(at, b"\n" * random.choice((1, 2, 1000)))
        case 4:
            lines[at] = lines[at].rstrip(b"\n")
        case 5:
            random.shuffle(lines)
    return b"".join(lines)


def _fields(random: Random, data: bytes) -> bytes:
    """Change what stands between two separators."""
    text = data.decode("utf-8", "replace")
    separators = [i for i, each in enumerate(text) if each in ' \t\n,="<>();:/']
    if len(separators) < 2:
        return data
    at = random.randrange(len(separators) - 1)
    start, end = separators[at] + 1, separators[at + 1]
    other = random.randrange(len(separators) - 1)
    new = random.choice((random.choice(ODD), text[separators[other] + 1 : separators[other + 1]]))
    return (text[:start] + new + text[end:]).encode("utf-8", "replace")


def _encoding(random: Random, data: bytes) -> bytes:
    name = random.choice(ENCODINGS)
    text = data.decode("utf-8", "replace")
    if text.startswith("<") and random.random() < 0.7:
        text = f'<?xml version="1.0" encoding="{name}"?>\n{text}'
    return text.encode(name, "replace")


def _size(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    return random.choice((b"", data[:at] + b"x" * (3 << 20) + data[at:], data * 30, b"\n" * 100_000, b"<a>" * 20_000))


def damage(random: Random, data: bytes) -> bytes:
    """The file packed by gzip, and what packed it damaged."""
    packed = gzip.compress(data, mtime=0)
    at = random.randrange(len(packed))
    return random.choice(
        (
            packed,
            packed[:at],
            packed[:at] + bytes([packed[at] ^ 1 << random.randrange(8)]) + packed[at + 1 :],
            packed + packed,
            packed + b"rubbish",
            packed + b"\x00" * 512,
            data,
            b"",
        )
    )


# -- trees -----------------------------------------------------------------------------------------

LEAVES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 3.5, 1e308, float("inf"), float("nan"), 10**40, "", "x", [], {}, [[]], [None], {"": 1}),
    *(
        {"x": {"y": []}},
        "count(*)",
        "SELECT 1 AS x",
        "{{ x }}",
        "1; SELECT 2",
        "1 -- x",
        "(",
        "'",
        '"',
        "DOUBLE",
        "VARCHAR[]",
    ),
    *(
        ["a", "a"],
        "token",
        "{% for i in x %}",
        "sum(1)/0",
        "*",
        "a.b.c",
        "../x.sql",
        "/etc/passwd",
        "2020-01-01",
        "\x1b",
    ),
)


def paths_of(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where everything of a tree is, but the tree itself."""
    found = []
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        found += [(*path, key), *paths_of(value, (*path, key))]
    return found


def graft(random: Random, tree: Any) -> Any:
    """A tree with one change: a node replaced, removed, renamed, put in the place of another, or a key moved."""
    tree = deepcopy(tree)
    paths = paths_of(tree)
    if not paths:
        return random.choice(LEAVES)
    path = random.choice(paths)
    above = _at(tree, path[:-1])
    match random.randrange(7):
        case 6 if isinstance(above, dict):  # a key in a wrong place
            moved = above.pop(path[-1])
            others = [each for each in (_at(tree, way) for way in paths_of(tree)) if isinstance(each, dict)]
            random.choice([tree, *others])[path[-1]] = moved
        case 0:
            del above[path[-1]]
        case 1:
            above[path[-1]] = random.choice(LEAVES)
        case 2:
            above[path[-1]] = deepcopy(_at(tree, random.choice(paths)))
        case 3 if isinstance(above, dict):
            above[random.choice(random.choice(paths))] = above.pop(path[-1])
        case 4 if isinstance(above[path[-1]], str):
            above[path[-1]] = words(random, above[path[-1]])
        case _ if isinstance(above[path[-1]], str):
            above[path[-1]] = words(random, above[path[-1]])
        case _:
            above[path[-1]] = [above[path[-1]]]
    return tree


def _at(tree: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        tree = tree[key]
    return tree


def words(random: Random, text: str) -> str:
    """A text, such as SQL, with a word removed, repeated, exchanged or replaced."""
    found = text.split(" ")
    at, other = random.randrange(len(found)), random.randrange(len(found))
    match random.randrange(4):
        case 0:
            del found[at]
        case 1:
            found.insert(at, found[other])
        case 2:
            found[at], found[other] = found[other], found[at]
        case 3:
            found[at] = random.choice((*ODD, "NULL", "SELECT", "(SELECT 1)", "0", "[1]", "'x'", "{'a': 1}", "random()"))
    return " ".join(found)
