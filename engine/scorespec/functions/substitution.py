"""Substitutions in texts by rules ``A => B / C __ D``, as NIST's rfilter1 applies them.

A text is read from left to right. At each character, the first rule in order is applied whose A begins there, with C
before it and D after it: B is written, and reading goes on after A. If no rule fits, the character is written. C and D
are compared with the text that is read, not with what is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from typing import NamedTuple

import pyarrow as pa

from scorespec.functions.function import TEXT, TRUTH, WHOLE, InputColumn, RelationFunction

COLUMNS = (
    InputColumn("row", (WHOLE,)),
    InputColumn("side", (WHOLE,), least=-1, most=1),
    InputColumn("stretch", (WHOLE,)),
    InputColumn("text", (TEXT,)),
    InputColumn("hyphenated", (TRUTH,)),
    InputColumn("entity", (WHOLE,)),
    InputColumn("replacement", (TEXT,), nullable=True),
    InputColumn("before", (TEXT,), nullable=True),
    InputColumn("after", (TEXT,), nullable=True),
    InputColumn("ignore_case", (TRUTH,), nullable=True),
)
RESULT = ("first_row", "last_row", "place", "alternation", "branch")
RULE = -1  # the stretch of a row that is a rule
BOTH = -1  # the side of a rule that applies to both sides
NONE = -1  # the number of an alternation, a branch or a word where there is none
NOTHING = "@"  # what a rule writes for no word
BATCH_ROWS = 50_000


class SourceRow(NamedTuple):
    """A row of the input: a rule, or a word with the number of its entity; a hyphen may join it to the last word."""

    row: int
    side: int
    stretch: int
    text: str
    hyphenated: bool = False
    entity: int = NONE
    replacement: str | None = None
    before: str | None = None
    after: str | None = None
    ignore_case: bool | None = None

    def rule(self) -> TextRule:
        """The rule of a row. Raises ValueError for an empty pattern, which would begin everywhere."""
        if not self.text:
            raise ValueError("a rule has an empty pattern")
        texts = (self.text, self.before or "", self.after or "")
        pattern, before, after = map(folded, texts) if self.ignore_case else texts
        return TextRule(self.side, pattern, self.replacement or "", before, after, bool(self.ignore_case))


class TextRule(NamedTuple):
    """A substitution of ``pattern`` between ``before`` and ``after``; ``side`` is -1 if it applies to both texts."""

    side: int
    pattern: str
    replacement: str
    before: str
    after: str
    ignore_case: bool


class WrittenWord(NamedTuple):
    """A word that is written: the first and last word that it stands for, and its alternative if a rule wrote one.

    The text is None for an alternative without words, which a rule can write as ``@``.
    """

    text: str | None
    first: int
    last: int
    alternation: int
    branch: int


class WrittenCharacter(NamedTuple):
    """A character that is written, and the first and last word that it stands for.

    ``sign`` is the character if a rule wrote it or if it stands between words; '' if it is part of a word as it was.
    """

    text: str
    first: int
    last: int
    sign: str


def folded(text: str) -> str:
    """A text in capitals, of the same length."""
    return "".join(upper if len(upper := each.upper()) == 1 else each for each in text)


class TextRules:
    """The rules for one side, in order, found by the first two characters of their patterns."""

    def __init__(self, rules: Sequence[TextRule]) -> None:
        self._rules = rules
        self._found: dict[str, list[tuple[TextRule, str, int]]] = {}

    def applied(self, text: str, owners: Sequence[int], entities: Sequence[int]) -> list[tuple[int, TextRule]]:
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

    def _beginning(self, key: str) -> list[tuple[TextRule, str, int]]:
        """The rules whose patterns begin with two characters, each with its whole text and where its pattern begins."""
        if key not in self._found:
            self._found[key] = [
                (rule, rule.before + rule.pattern + rule.after, len(rule.before))
                for rule in self._rules
                if key.startswith(folded(rule.pattern[:2]))
            ]
        return self._found[key]


def substitution_schema(input_schema: pa.Schema) -> pa.Schema:
    """The columns side, stretch, text, first_row, last_row, place, alternation and branch."""
    return pa.schema(
        [("side", pa.int64()), ("stretch", pa.int64()), ("text", pa.string()), *((name, pa.int64()) for name in RESULT)]
    )


def substitute_text(batches: Iterator[pa.RecordBatch], input_schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Apply rules to stretches of text.

    The first rows of the input are the rules, in order: stretch -1, text (the pattern), replacement, before, after,
    ignore_case, and side (0 or 1; -1 for both sides). Then come the words: row (a number of its own), side (0 or 1),
    stretch (not negative), text, hyphenated (whether a hyphen, and no blank, precedes this word) and entity (-1
    outside of entities). The words of a stretch are adjacent, in order. A stretch begins and ends with a blank.

    A rule is not applied to words of different entities. Yields a row for each word that is written: side, stretch,
    text, the first and the last word that it stands for (first_row, last_row), its place in the stretch, and its
    alternation and branch (-1 outside of alternatives that a rule wrote). The text of an alternative without words,
    which a rule writes as ``@`` or with no word, is None.
    """
    schema = substitution_schema(input_schema)
    columns = (zip(*(batch[name].to_pylist() for name in SourceRow._fields), strict=True) for batch in batches)
    rules: list[TextRule] = []
    by_side: list[TextRules] = []
    found: list[tuple[int | str | None, ...]] = []
    for (side, stretch), group in groupby(
        map(SourceRow._make, chain.from_iterable(columns)), lambda row: (row.side, row.stretch)
    ):
        if stretch == RULE:
            rules += [row.rule() for row in group]
            continue
        if not by_side:
            by_side = [TextRules([rule for rule in rules if rule.side in (BOTH, each)]) for each in (0, 1)]
        rows = list(group)
        written = substituted(rows, by_side[side])
        for place, each in enumerate(written):
            first, last = rows[each.first].row, rows[each.last].row
            found.append((side, stretch, each.text, first, last, place, each.alternation, each.branch))
        if len(found) >= BATCH_ROWS:
            yield _batch(found, schema)
            found = []
    yield _batch(found, schema)


def _batch(found: Sequence[tuple[int | str | None, ...]], schema: pa.Schema) -> pa.RecordBatch:
    columns = zip(*found, strict=True) if found else [()] * len(schema.names)
    arrays = [pa.array(each, field.type) for each, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def substituted(words: Sequence[SourceRow], rules: TextRules) -> list[WrittenWord]:
    """The words that rules make of a stretch of words."""
    text, owners = " ", [NONE]
    for index, word in enumerate(words):
        between = "-" if word.hyphenated else " " if index else ""
        text += between + word.text
        owners += [NONE] * len(between) + [index] * len(word.text)
    text, owners = f"{text} ", [*owners, NONE]
    applied = rules.applied(text, owners, [word.entity for word in words])
    if not applied and not any(word.hyphenated for word in words):  # nearly always
        return [WrittenWord(word.text, index, index, NONE, NONE) for index, word in enumerate(words)]
    return _words(_characters(text, owners, applied))


def _characters(
    text: str, owners: Sequence[int], applied: Sequence[tuple[int, TextRule]]
) -> Iterator[WrittenCharacter]:
    """The characters that are written, from left to right."""
    at, last = 0, 0
    for begin, rule in (*applied, (len(text), None)):
        for kept in range(at, begin):
            between = owners[kept] == NONE
            last = last if between else owners[kept]
            yield WrittenCharacter(text[kept], last, last, text[kept] if between else "")
        if rule:
            at = begin + len(rule.pattern)
            matched = [owner for owner in owners[begin:at] if owner != NONE]
            last = matched[-1] if matched else last
            first = matched[0] if matched else last
            yield from (WrittenCharacter(each, first, last, each) for each in rule.replacement)


def _words(characters: Iterator[WrittenCharacter]) -> list[WrittenWord]:
    """The words of written characters. Braces and slashes that a rule writes separate alternatives: {a b / c}."""
    found: list[WrittenWord] = []
    word: list[WrittenCharacter] = []
    alternation, count, branch, begun = NONE, 0, NONE, 0

    def end_word() -> None:
        if word:
            said = "".join(each.text for each in word)
            text = None if said == NOTHING and word[0].sign else said
            found.append(WrittenWord(text, min(w.first for w in word), max(w.last for w in word), alternation, branch))
            word.clear()

    for each in characters:
        if each.sign == "{":
            end_word()
            alternation, branch, begun, count = count, 0, len(found), count + 1
        elif each.sign in ("/", "}") and alternation != NONE:
            end_word()
            if len(found) == begun:
                found.append(WrittenWord(None, each.first, each.first, alternation, branch))
            begun, branch = len(found), branch + 1
            alternation, branch = (alternation, branch) if each.sign == "/" else (NONE, NONE)
        elif each.sign.isspace():
            end_word()
        else:
            word.append(each)
    end_word()
    return found


FUNCTIONS = (
    RelationFunction(
        "Applies substitutions to texts, as NIST's rfilter1 does. One row per word of the new texts, with the words "
        "that it stands for.",
        substitute_text,
        substitution_schema,
        COLUMNS,
        grouped=False,
    ),
)
