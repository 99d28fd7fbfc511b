"""Substitutions in texts by rules ``A => B / C __ D``, as NIST's rfilter1 applies them.

A text is read from left to right. At each character, the first rule in order is applied whose A begins there, with C
before it and D after it: B is written, and reading goes on after A. If no rule fits, the character is written. C and D
are compared with the text that is read, not with what is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from scorespec.arrays import arrow_ints, arrow_texts
from scorespec.functions.columns import TEXT, TRUTH, WHOLE, Column

RULE_COLUMNS = ("replacement", "before", "after", "ignore_case")
COLUMNS = (
    Column("row", (WHOLE,)),
    Column("side", (WHOLE,), least=-1, most=1),
    Column("stretch", (WHOLE,)),
    Column("text", (TEXT,)),
    Column("hyphenated", (TRUTH,)),
    Column("branched", (TRUTH,)),
    Column("entity", (WHOLE,)),
    *(Column(name, (TEXT,), nullable=True) for name in RULE_COLUMNS[:3]),
    Column("ignore_case", (TRUTH,), nullable=True),
)
RESULT = ("first_row", "last_row", "place", "alternation", "branch")
RULE, NONE = -1, -1  # the stretch of a rule; no alternation, no word
NOTHING = "@"  # the word of an alternative without words
BATCH_ROWS = 50_000


class Rule(NamedTuple):
    """A substitution of ``pattern`` between ``before`` and ``after``; ``side`` is -1 if it applies to both texts."""

    side: int
    pattern: str
    replacement: str
    before: str
    after: str
    ignore_case: bool


class Word(NamedTuple):
    """A word of a text: its row, and the number of its entity; ``hyphenated`` if a hyphen joins it to the last word."""

    row: int
    text: str
    hyphenated: bool
    entity: int


class Written(NamedTuple):
    """A word that is written: the first and last word that it stands for, and its alternative if a rule wrote one."""

    text: str
    first: int
    last: int
    alternation: int
    branch: int


class Character(NamedTuple):
    """A character that is written, the first and last word that it stands for, and whether a rule wrote it."""

    text: str
    first: int
    last: int
    by_rule: bool


def folded(text: str) -> str:
    """A text in capitals, of the same length."""
    return "".join(upper if len(upper := each.upper()) == 1 else each for each in text)


class Rules:
    """The rules for one side, in order, found by the first two characters of their patterns."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        self._found: dict[str, list[tuple[Rule, str, int]]] = {}

    def applied(self, text: str, owners: Sequence[int], entities: Sequence[int]) -> list[tuple[int, Rule]]:
        """The rules that are applied to a text, each with the character where its pattern begins."""
        capitals, found, at = folded(text), [], 0
        while at < len(text):
            step = 1
            for rule, whole, shift in self._beginning(capitals[at : at + 2]):
                read = capitals if rule.ignore_case else text
                if at >= shift and read.startswith(whole, at - shift):
                    end = at + len(rule.pattern)
                    if len({entities[owner] for owner in owners[at:end] if owner != NONE}) <= 1:
                        found.append((at, rule))
                        step = len(rule.pattern)
                        break
            at += step
        return found

    def _beginning(self, key: str) -> list[tuple[Rule, str, int]]:
        """The rules whose patterns begin with two characters, each with its whole text and where its pattern begins."""
        if key not in self._found:
            self._found[key] = [
                (rule, rule.before + rule.pattern + rule.after, len(rule.before))
                for rule in self._rules
                if key.startswith(folded(rule.pattern[:2]))
            ]
        return self._found[key]


def substitution_schema(input_schema: pa.Schema) -> pa.Schema:
    """The columns side, text, first_row, last_row, place, alternation and branch."""
    return pa.schema(
        [("side", pa.int64()), ("stretch", pa.int64()), ("text", pa.string()), *((name, pa.int64()) for name in RESULT)]
    )


def substitute_text(batches: Iterator[pa.RecordBatch], input_schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Apply rules to stretches of text.

    The first rows of the input are the rules, in order: stretch -1, text (the pattern), replacement, before, after,
    ignore_case, and side (0 or 1; -1 for both sides). Then come the words: row (a number of its own), side (0 or 1),
    stretch (not negative), text, hyphenated (whether a hyphen, and no blank, stands before this word), entity (-1
    outside of entities) and branched (whether the stretch is an alternative). The words of a stretch are adjacent, in
    order. A stretch begins and ends with a blank.

    A rule is not applied to words of different entities. Yields a row for each word that is written: side, stretch,
    text, the first and the last word that it stands for (first_row, last_row), its place in the stretch, and its
    alternation and branch (-1 outside of alternatives that a rule wrote). If an alternative has lost all of its words,
    @ is written.
    """
    schema = substitution_schema(input_schema)
    names = [column.name for column in COLUMNS]
    rows = (row for batch in batches for row in zip(*(batch[name].to_pylist() for name in names), strict=True))
    rules: list[Rule] = []
    by_side: list[Rules] = []
    found: list[tuple[int, int, str, int, int, int, int, int]] = []
    for (side, stretch), group in groupby(rows, key=lambda row: (row[1], row[2])):
        if stretch == RULE:
            rules += [_rule(side, *row[3:4], *row[7:]) for row in group]
            continue
        if not by_side:
            by_side = [Rules([rule for rule in rules if rule.side in (RULE, each)]) for each in (0, 1)]
        several = list(group)
        words = [Word(row[0], row[3], row[4], row[6]) for row in several]
        written = substituted(words, by_side[side])
        if not written and several[0][5]:
            written = [Written(NOTHING, 0, 0, NONE, NONE)]
        found += [
            (
                side,
                stretch,
                each.text,
                words[each.first].row,
                words[each.last].row,
                place,
                each.alternation,
                each.branch,
            )
            for place, each in enumerate(written)
        ]
        if len(found) >= BATCH_ROWS:
            yield _batch(found, schema)
            found = []
    yield _batch(found, schema)


def _rule(side: int, pattern: str, replacement: str, before: str, after: str, ignore_case: bool) -> Rule:
    if not pattern:
        raise ValueError("a rule has an empty pattern")
    texts = [folded(each or "") if ignore_case else each or "" for each in (pattern, before, after)]
    return Rule(side, texts[0], replacement or "", texts[1], texts[2], bool(ignore_case))


def _batch(found: Sequence[tuple[int, int, str, int, int, int, int, int]], schema: pa.Schema) -> pa.RecordBatch:
    side, stretch, text, *numbers = zip(*found, strict=True) if found else [()] * len(schema.names)
    columns = [arrow_ints(np.array(each, np.int64)) for each in (side, stretch, *numbers)]
    return pa.RecordBatch.from_arrays([*columns[:2], arrow_texts(list(text)), *columns[2:]], schema=schema)


def substituted(words: Sequence[Word], rules: Rules) -> list[Written]:
    """The words that rules make of a stretch of words."""
    text, owners = " ", [NONE]
    for index, word in enumerate(words):
        between = "-" if word.hyphenated else " " if index else ""
        text += between + word.text
        owners += [NONE] * len(between) + [index] * len(word.text)
    text, owners = f"{text} ", [*owners, NONE]
    applied = rules.applied(text, owners, [word.entity for word in words])
    if not applied and not any(word.hyphenated for word in words):  # nearly always
        return [Written(word.text, index, index, NONE, NONE) for index, word in enumerate(words)]
    return _words(_characters(text, owners, applied))


def _characters(text: str, owners: Sequence[int], applied: Sequence[tuple[int, Rule]]) -> Iterator[Character]:
    """The characters that are written, from left to right."""
    at, last = 0, 0
    for begin, rule in (*applied, (len(text), None)):
        for kept in range(at, begin):
            last = owners[kept] if owners[kept] != NONE else last
            yield Character(text[kept], last, last, False)
        if rule:
            at = begin + len(rule.pattern)
            matched = [owner for owner in owners[begin:at] if owner != NONE]
            last = matched[-1] if matched else last
            first = matched[0] if matched else last
            yield from (Character(each, first, last, True) for each in rule.replacement)


def _words(characters: Iterator[Character]) -> list[Written]:
    """The words of written characters. Braces and slashes that a rule writes separate alternatives: {a b / c}."""
    found: list[Written] = []
    word: list[Character] = []
    alternation, count, branch, begun, position = NONE, 0, NONE, 0, 0

    def end_word() -> None:
        if word:
            said = "".join(each.text for each in word)
            found.append(Written(said, min(w.first for w in word), max(w.last for w in word), alternation, branch))
            word.clear()

    for each in characters:
        position = each.first
        sign = each.text if each.by_rule else ""
        if sign == "{" and alternation == NONE:
            end_word()
            alternation, branch, begun, count = count, 0, len(found), count + 1
        elif sign in ("/", "}") and sign and alternation != NONE:
            end_word()
            if len(found) == begun:
                found.append(Written(NOTHING, position, position, alternation, branch))
            begun, branch = len(found), branch + 1
            alternation, branch = (alternation, branch) if sign == "/" else (NONE, NONE)
        elif each.text in " \t":
            end_word()
        else:
            word.append(each)
    end_word()
    return found
