"""Comparisons and leaderboards as objects: Arrow tables, rows for programs, and text for people and papers."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from scorespec.comparison.leaderboard import REPLICATES, Column, Entry, corpus_name
from scorespec.comparison.paired import Comparison, SegmentTest, p_text, verdict
from scorespec.comparison.targets import MISSED
from scorespec.core.score_text import (
    Part,
    finite,
    part_text,
    score_name,
    slice_text,
    texts_of,
    value_text,
)
from scorespec.core.terminal import Place, aligned, html_table, latex_table, markdown_table, visible
from scorespec.plan.request import DEPENDENT
from scorespec.results.reading import OLDER

if TYPE_CHECKING:
    import pyarrow as pa

Row = TypeVar("Row")
Texts = dict[str, str]
Score = tuple[str, str]  # metric, component
WORDS = ("rank", "system")  # the columns of a leaderboard that are not scores
INTERVALS = ("ends", "plus-minus", "none")  # how a leaderboard shows intervals


class RowsTable(Generic[Row]):
    """Rows of one ``kind``, which is a dataclass, that pyarrow, pandas and polars read as a table.

    As text, they are a table with notes below; all its columns but ``words`` are numbers. Iterating gives the rows.
    """

    rows: Sequence[Row]
    kind: ClassVar[type]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def table(self) -> pa.Table:
        """The rows as an Arrow table, with a column for each field."""
        import pyarrow as pa  # slow to load

        types = {"str": pa.string(), "float": pa.float64(), "int": pa.int64()}
        columns = [(each.name, types[str(each.type).removesuffix(" | None")]) for each in fields(self.kind)]
        return pa.Table.from_pylist([vars(each) for each in self.rows], pa.schema(columns))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def __repr__(self: Any) -> str:
        return "\n".join([aligned(self.shown_rows(), self.words), *self.notes])

    def _repr_html_(self: Any) -> str:
        return html_table(self.shown_rows()) + "".join(f"<p>{escape(note)}</p>" for note in self.notes)


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons(RowsTable[Comparison]):
    """The comparisons of some systems; ``verdict`` says in words what they found.

    ``level`` is that of the intervals in percent. ``matched_pairs`` are the matched-pairs tests of pairs of systems, if
    the suite declares their errors. The scores ``in_percent`` are shown as percent, ``counts`` as whole numbers.
    ``blocks`` are the columns that --blocks has chosen. pyarrow, pandas and polars read the object as a table.
    Iterating gives a :class:`.paired.Comparison` for each score and pair of systems.
    """

    rows: Sequence[Comparison]
    level: float = 95.0
    matched_pairs: Sequence[SegmentTest] = ()
    older: Sequence[str] = ()
    in_percent: Collection[Score] = ()
    blocks: str | None = None
    counts: Collection[Score] = ()
    kind: ClassVar[type] = Comparison
    words: ClassVar[Sequence[str]] = ("metric", "slice", "a", "b", "method", "note")  # columns that are not numbers

    @property
    def verdict(self) -> str:
        """What the comparisons found, in words, and which runs are left out."""
        older = f" {OLDER.capitalize()}{', '.join(self.older)}." if self.older else ""
        chosen = f" Blocks are {self.blocks} (--blocks): {DEPENDENT}." if self.blocks else ""
        return verdict(self.rows, self.level, self.in_percent) + chosen + older

    @property
    def notes(self) -> list[str]:
        """What the columns mean, the matched-pairs tests and the verdict, each with what it assumes."""
        pairs = {(each.b, each.a) for each in self.rows if each.difference is not None}
        block = next((each.block for each in self.rows if each.block and self.matched_pairs), None)
        b, a = min(pairs) if len(pairs) == 1 else "ba"
        of = [f"difference: {b} minus {a}"] if pairs else []
        if any(each.wins is not None for each in self.rows):
            of += [
                f"win/tie/loss: blocks in which {b} is better, equal, worse",
                "detectable: a true difference that would be found in 80 % of such corpora",
            ]
        of += [line for test in self.matched_pairs for line in str(test).splitlines()]
        return [*of, *([f"if only blocks are independent (a block per {block}):"] if block else []), self.verdict]

    def to_dict(self) -> dict[str, Any]:
        """The comparisons as the command line prints them with ``--format json``."""
        rows = [{**vars(each), "slice": json.loads(each.slice)} for each in self.rows]
        pairs = {"matched_pairs": [asdict(each) for each in self.matched_pairs]} if self.matched_pairs else {}
        return finite({"comparisons": rows, **pairs, "verdict": self.verdict})  # type: ignore[no-any-return]

    def shown_rows(self) -> list[Texts]:
        """The comparisons as text for people: a column for each field that some row has."""
        several = len({(each.a, each.b) for each in self.rows}) > 1
        shown = []
        for each in self.rows:
            is_percent = (each.metric, each.component) in self.in_percent
            number, end = texts_of((each.metric, each.component), self.in_percent, self.counts)
            names = {
                "metric": score_name(each.metric, each.component) + (" (%)" if is_percent else ""),
                "slice": slice_text(json.loads(each.slice)),
            }
            counts = (each.wins, each.ties, each.losses)
            found = {
                "difference": ""
                if each.difference is None
                else f"{each.difference * (100 if is_percent else 1):+z.4g}",
                **{"low": end(each.low), "high": end(each.high)},
                **{
                    "p": p_text(each.p).removeprefix("= "),
                    "p corrected": p_text(each.p_corrected).removeprefix("= "),
                    "detectable": end(each.detectable),
                },
                "win/tie/loss": "" if each.wins is None else "/".join(map(str, counts)),
                "blocks": "" if each.blocks is None else str(each.blocks),
                **{"method": each.method or "", "note": each.note or ""},
            }
            systems = [each.a, each.b]
            if several:
                names |= {"a": each.a, "b": each.b}
                systems = ["value a", "value b"]
            while {*systems} & {*names, *found}:  # a system may be called `p`
                systems = [f"system {name}" for name in systems]
            values = dict(zip(systems, map(number, (each.value_a, each.value_b)), strict=True))
            shown.append({name: visible(text) for name, text in (names | values | found).items()})
        filled = [name for name in shown[0] if any(row[name] for row in shown)] if shown else []
        return [{name: row[name] for name in filled} for row in shown]


MOST_SCORES = 6  # that are the columns of a leaderboard in LaTeX


@dataclass(frozen=True, eq=False, repr=False)
class Leaderboard(RowsTable[Entry]):
    """The scores of systems with intervals and ranks, the best system first.

    The scores ``in_percent`` are shown as percent, ``counts`` as whole numbers. ``intervals`` says how intervals are
    shown: by their `ends`, as half their width after the value (`plus-minus`), or not at all (`none`). ``suite`` is the
    suite of the scores. ``by`` are the columns by which the scores are broken down, ``blocks`` those that --blocks has
    chosen, ``percent_names`` the names of scores that have one for percent. pyarrow, pandas and polars read the object
    as a table. Iterating gives a :class:`.leaderboard.Entry` for each system and score.
    """

    rows: Sequence[Entry]
    level: float = 95.0
    older: Sequence[str] = ()
    in_percent: Collection[Score] = ()
    intervals: str = INTERVALS[0]
    suite: str = ""
    by: Sequence[str] = ()
    blocks: str | None = None
    counts: Collection[Score] = ()
    percent_names: Mapping[Score, str] = field(default_factory=dict)
    kind: ClassVar[type] = Entry

    def to_dict(self) -> dict[str, Any]:
        """The entries as the command line prints them with ``--format json``."""
        rows = [{**vars(each), "slice": json.loads(each.slice)} for each in self.rows]
        return {"leaderboard": finite(rows), "notes": self.notes}

    def shown_rows(self) -> list[Texts]:
        """A row for each system as text for people: its ranks in the first score, and each score with its interval.

        Later scores have their ranks in brackets. The rows of the whole are followed by those of each part ``by`` some
        columns.
        """
        if self.by:
            rows = [{**dict(part), **row} for part, board in self._parts.items() for row in board.shown_rows()]
            return [{name: row.get(name, "-") for name in rows[0]} for row in rows]
        ranks = _ranks_by_value(self.lead)
        if self.lead and self.lead[0].best is not None:  # the differences were tested
            ranks = {each.system: _ranks(each.best, each.worst) for each in self.lead if each.value is not None}
        return [
            {
                "rank": ranks.get(system, "-"),
                "system": visible(system),
                **{name: self._text(entry) for name, entry in cells.items()},
            }
            for system, cells in self._cells().items()
        ]

    def _text(self, entry: Entry | None) -> str:
        """A score with its interval and, unless it is the first one, its ranks: ``0.512 (0.480–0.545) [1–2]``."""
        if entry is None or entry.value is None:
            return "-"
        number, end = texts_of((entry.metric, entry.component), self.in_percent, self.counts)
        text = number(entry.value) + (MISSED if entry.missed else "")
        if entry.low is not None and entry.high is not None:
            half_width = (entry.high - entry.low) / 2
            shown = {
                "ends": f" ({end(entry.low)}–{end(entry.high)})",
                "plus-minus": f" ± {end(half_width)}",
                "none": "",
            }
            text += shown[self.intervals]
        ranks = "" if entry.column == self.rows[0].column else _ranks(entry.best, entry.worst)
        return text + (f" [{ranks}]" if ranks else "")

    @property
    def words(self) -> list[str]:
        """The columns of ``shown_rows`` that are not scores."""
        return [*dict(part_text({}, self.by, WORDS)), *WORDS]

    @cached_property
    def _parts(self) -> dict[Part, Leaderboard]:
        """The leaderboard of the whole, then that of each part."""
        found: dict[Part, list[Entry]] = {}
        for each in self.rows:
            slice_ = json.loads(each.slice)
            own = json.dumps({name: value for name, value in slice_.items() if name not in self.by})
            found.setdefault(part_text(slice_, self.by, WORDS), []).append(replace(each, slice=own))
        return {part: replace(self, rows=entries, by=()) for part, entries in found.items()}

    @cached_property
    def lead(self) -> list[Entry]:
        """The entries of the first score, by which systems are ranked."""
        return [each for each in self.rows if each.column == self.rows[0].column]

    def markdown(self) -> str:
        """The leaderboard as a table in Markdown; the best scores are bold."""
        return markdown_table(self.shown_rows(), self.words, self.best, self.notes)

    def latex(self) -> str:
        """The leaderboard as a table in LaTeX, for the package booktabs; the best scores are bold.

        If there are more than :data:`MOST_SCORES` scores and fewer systems, scores are rows and systems are columns.
        """
        rows, words, bold = self.shown_rows(), self.words, self.best
        if not self.by and max(MOST_SCORES, len(rows)) < len(self.names):
            systems, at = [row["system"] for row in rows], {name: at for at, name in enumerate(self.names)}
            bold = {(at[name], systems[row]) for row, name in bold}
            rows = [{"score": name, **{row["system"]: row[name] for row in rows}} for name in self.names]
            words = ["score"]
        return latex_table(rows, words, bold, self.notes)

    @cached_property
    def names(self) -> dict[str, Column]:
        """The headings of the scores."""
        columns = list(dict.fromkeys(each.column for each in self.rows))
        several = len({column[3:] for column in columns}) > 1
        names: dict[str, Column] = {}
        for column in columns:
            metric, component, slice_, corpus, corpora = column
            parts = list(filter(None, [self._name(metric, component), slice_text(json.loads(slice_))]))
            is_condition = bool(self._conditions) and slice_ != "{}"  # the first column has the name of the score
            parts = [" ".join(map(value_text, json.loads(slice_).values()))] if is_condition else parts
            where = f"mean of {corpora} corpora" if corpora > 1 else corpus_name(corpus)
            unit = ["(%)"] if column[:2] in self.in_percent and not is_condition else []
            name = " ".join([*parts, *([where] if several else []), *unit])
            while name in (*WORDS, *names):  # a metric may be called `system`
                name = f"score {name}"
            names[name] = column
        return names

    def _name(self, metric: str, component: str) -> str:
        return self.percent_names.get((metric, component)) or score_name(metric, component)

    @cached_property
    def _conditions(self) -> list[str]:
        """The columns whose values are headings: those of the slices of a single score, if the whole comes first."""
        columns = list(dict.fromkeys(each.column for each in self.rows))
        whole = columns and columns[0][2] == "{}" and len({(*column[:2], *column[3:]) for column in columns}) == 1
        return list(dict.fromkeys(name for column in columns for name in json.loads(column[2]))) if whole else []

    def _cells(self) -> dict[str, dict[str, Entry | None]]:
        """The entries of each system, by heading."""
        found = {(each.system, each.column): each for each in self.rows}
        systems = dict.fromkeys(each.system for each in self.rows)
        return {
            system: {name: found.get((system, column)) for name, column in self.names.items()} for system in systems
        }

    @property
    def best(self) -> set[Place]:
        """The cells with the best value of their column, in each part."""
        if self.by:
            of_parts = [(len(board._cells()), board.best) for board in self._parts.values()]
            starts = accumulate((rows for rows, _ in of_parts), initial=0)
            return {
                (start + row, name) for start, (_, best) in zip(starts, of_parts, strict=False) for row, name in best
            }
        best: dict[Column, float] = {}
        for each in self.rows:
            if each.value is not None:
                choose = max if each.better == "higher" else min
                best[each.column] = choose(each.value, best.get(each.column, each.value))
        return {
            (row, name)
            for row, cells in enumerate(self._cells().values())
            for name, each in cells.items()
            if each and each.value is not None and each.value == best[each.column]
        }

    @property
    def notes(self) -> list[str]:
        """By what systems are ranked, what ranks and intervals mean, and why scores or intervals are missing."""
        if not self.rows:
            return []
        if self.by:
            return [*self._notes_of_parts()]
        name = next(iter(self.names))
        notes = [f"ranked by {name}: {self.rows[0].better} is better"]
        notes += [OLDER + visible(", ".join(self.older))] if self.older else []
        notes += [f"blocks are {self.blocks} (--blocks): {DEPENDENT}"] if self.blocks else []
        if self.lead[0].best is not None:
            notes.append(f"rank: a range such as 1–2 where a difference in {name} may be chance")
        else:
            notes.append(f"rank: by value alone; no difference in {name} was tested")
        if self.intervals != "none" and any(each.low is not None for each in self.rows):
            where = {"ends": "in parentheses: the", "plus-minus": "after ±: half the width of the"}[self.intervals]
            notes.append(f"{where} {self.level:g} % interval of the run, or else one of {REPLICATES:,} resamples")
        notes += [f"other columns: {name} by {', '.join(map(visible, self._conditions))}"] if self._conditions else []
        if any(each.best is not None and each.column != self.rows[0].column for each in self.rows):
            notes.append("in brackets: the ranks in this score")
        for note in dict.fromkeys(each.note for each in self.rows if each.note):
            those = [each for each in self.rows if each.note == note]
            what = "interval" if all(each.low is None for each in those) else "rank"
            names = dict.fromkeys(self._name(each.metric, each.component) for each in those)
            notes.append(f"no {what} of {', '.join(names)}: {note}")
        missed = dict.fromkeys(f"{self._name(*each.column[:2])} {each.missed}" for each in self.rows if each.missed)
        notes += [f"{MISSED}: misses a target: {', '.join(missed)}"] if missed else []
        for lacks in dict.fromkeys(each.lacks for each in self.rows if each.lacks):
            those = [each for each in self.rows if each.lacks == lacks]
            notes.append(
                visible(f"no mean of {', '.join(dict.fromkeys(each.system for each in those))}: no run of {lacks}")
            )
        return notes

    def _notes_of_parts(self) -> Iterator[str]:
        """The notes on the whole, and those on parts that differ; each begins with the parts that it is about."""
        (_, whole), *parts = self._parts.items()
        yield from whole.notes
        yield "systems are in the order of the whole; ranks are those within each slice"
        for note in dict.fromkeys(note for _, board in parts for note in board.notes if note not in whole.notes):
            yield f"{', '.join(' '.join(dict(part).values()) for part, board in parts if note in board.notes)}: {note}"
        if kept := [name for name in whole.names if not any(name in board.names for _, board in parts)]:
            yield f"not broken down: {', '.join(kept)}"


def _ranks(best: int | None, worst: int | None) -> str:
    """The ranks that are possible: ``2``, or ``1–3``; empty if no difference was tested."""
    return "–".join(map(str, sorted({each for each in (best, worst) if each is not None})))


def _ranks_by_value(entries: Sequence[Entry]) -> dict[str, str]:
    """The rank of each system by its value. Equal values share their ranks: two best values have the ranks 1–2."""
    sign = -1 if entries and entries[0].better == "higher" else 1
    values = {each.system: sign * each.value for each in entries if each.value is not None}
    return {
        system: _ranks(
            1 + sum(each < value for each in values.values()), sum(each <= value for each in values.values())
        )
        for system, value in values.items()
    }
