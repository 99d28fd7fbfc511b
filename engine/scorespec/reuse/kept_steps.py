"""Takes results of earlier runs from the folder of `--reuse`, and keeps results of this run there.

Before anything is loaded, :meth:`Reuse.begin` decides from the last step to the first what has to be done. A step is
run if its rows are needed and not kept, or if it has warnings or errors whose outcome is not known. An input is loaded
if its rows are needed and not kept, or if the outcome of its checks is not known.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

from scorespec.formats import DUCKDB
from scorespec.plan.plan import Count, Plan, Refused, Step
from scorespec.plan.rendering.templates import quoted
from scorespec.reuse import Reusing
from scorespec.reuse.addresses import Addresses, identity, is_whole, notice_key
from scorespec.reuse.store import ROWS, Artefact, Store, StoredTable, write_rows
from scorespec.run.inputs.checking import list_name
from scorespec.run.inputs.files import Content, Stamp
from scorespec.run.inputs.loading import Loaded, loading
from scorespec.run.inputs.sources import Source
from scorespec.run.loop import Done, Known, Supply
from scorespec.run.session import Session

# Rows are kept if making them, with what is below them and not kept, took LEAST seconds; if writing them takes at most
# WORTH times as long as making them; and if all writing of a run takes at most the SHARE of the other work so far.
LEAST, WORTH, SHARE = 0.05, 1.0, 0.1
DROPPED = "dropped"  # the table with the list of the rows that were dropped
REUSED, NOT_NEEDED, IN_PLACE = "reused", "not needed", "read in place"  # as a profile says it


@contextmanager
def opened_reuse(reusing: Reusing) -> Iterator[Supply]:
    """What a run takes from the folder of `--reuse` inside the block."""
    with closing(Store(reusing)) as store:
        yield Reuse(store)


class Reuse(Supply):
    """What a run takes from a store, and keeps there. A run has a Reuse of its own."""

    _plan: Plan
    _session: Session
    _prepared: Collection[str]
    _addresses: Addresses

    def __init__(self, store: Store) -> None:
        self._store, self._copied = store, False
        self._begun, self._writing = time.perf_counter(), 0.0
        self._contents: dict[str, list[tuple[Stamp, Content]]] = {}  # of the files of each input
        self._checked: set[str] = set()  # the inputs whose checks an earlier run has made
        self.taken: dict[str, str] = {}  # how an input or a step is taken that is neither loaded nor run
        self._found: dict[str, Artefact] = {}  # the results of earlier runs, by the name of the input or step
        self._paths: dict[tuple[str, str], Path] = {}  # of the files that are taken, by name and table
        self._warnings: dict[str, list[str]] = {}  # of the steps that are not run
        self._results: dict[str, Artefact] = {}  # what is known of the results of this run
        self._seconds: dict[str, float] = {}  # that they took
        self._kept: set[str] = set()  # the inputs and steps whose rows are in the store

    # -- what is to be done ----------------------------------------------------------------------

    def begin(
        self, plan: Plan, session: Session, sources: Sequence[Source], had: Collection[str], copied: bool
    ) -> None:
        """Decide what is taken from the store. Raises no error for files that cannot be read."""
        self._plan, self._session, self._prepared, self._copied = plan, session, {*had}, copied
        identities = {source.table.name: self._identity(source) for source in sources}
        self._addresses = addresses = Addresses(self._plan, identities)
        needed = set(self._plan.finals())
        for step in reversed(self._plan.steps):
            if step.physical not in self._prepared and not self._take_step(step, step.physical in needed):
                needed |= addresses.reads[step.physical]
        self._checked = {source.table.name for source in sources}
        while unsettled := [name for name in self._checked if not self._is_settled(name, name in needed)]:
            self._checked -= {*unsettled}
            needed = needed.union(unsettled, *map(addresses.needs, unsettled))
        for source in sources:
            if source.table.name not in self._prepared:
                self._take_input(source.table.name, source.table.name in needed)

    def _identity(self, source: Source) -> str | None:
        """The identity of an input; None for an object in memory, and for a file that cannot be read."""
        contents = []
        for each in source.each:
            if each.path is None or not is_whole(each):
                return None
            try:
                stamp = Stamp.of(each.path)
                contents.append((stamp, self._store.content(each.path, stamp)))
            except OSError:  # which loading raises, too
                return None
        self._contents[source.table.name] = contents
        return identity(source, [content for _, content in contents])

    def _find(self, address: str | None) -> Artefact | None:
        return self._store.find(address) if address else None

    def _take(self, name: str, artefact: Artefact, table: str) -> bool:
        """Whether a table that is kept can be read."""
        path = self._store.open(artefact, table) if table in artefact.tables else None
        if path is None:
            return False
        self._paths[name, table] = path
        self._session.let_read(path)
        return True

    def _take_step(self, step: Step, needed: bool) -> bool:
        """Whether a step need not be run."""
        if found := self._find(self._addresses.rows[step.physical]):
            self._found[step.physical] = found
        known = self._outcome(step, found)
        if known is None or needed:
            if step.view or found is None or not self._take(step.physical, found, ROWS):
                return False
            self._kept.add(step.physical)
        if known is not None:
            self._warnings[step.physical] = known
            self.taken[step.physical] = NOT_NEEDED
        return True

    def _outcome(self, step: Step, found: Artefact | None) -> list[str] | None:
        """The warnings of a step; None if the outcome of some warning or error is not known."""
        known = found.facts["notices"] if found else {}
        keys = list(map(notice_key, self._notices(step)))
        return [known[key] for key in keys if known[key]] if known.keys() >= {*keys} else None

    def _notices(self, step: Step) -> list[Refused | Count]:
        """The errors and warnings of a step."""
        notices: list[Refused | Count] = [*self._plan.notices.refused, *self._plan.notices.counts]
        return [each for each in notices if each.physical == step.physical]

    def _is_settled(self, name: str, needed: bool) -> bool:
        """Whether an input need not be checked: the outcome is known, and so are the rows that checking leaves."""
        if not self._find(self._addresses.checks[name]):
            return False
        found = self._find(self._addresses.rows[name])
        if name in self._prepared or (found and not (found.facts["merged"] or found.facts["dropped"])):
            return True
        return found is not None and (not needed or self._take(name, found, ROWS))

    def _take_input(self, name: str, needed: bool) -> None:
        """Decide whether an input is loaded."""
        found, dropping = self._find(self._addresses.rows[name]), name in self._plan.inputs.droppable
        if found is None or (dropping and name not in self._checked):
            return
        if found.facts["dropped"] and not self._take(name, found, DROPPED):
            return
        if not needed:
            self.taken[name] = NOT_NEEDED
        elif self._take(name, found, ROWS):
            self.taken[name] = REUSED
        elif found.facts["in_place"] and not self._copied:
            self.taken[name] = IN_PLACE
        self._found[name] = found

    # -- inputs ----------------------------------------------------------------------------------

    def has_input(self, source: Source) -> bool:
        return self.taken.get(source.table.name) in (NOT_NEEDED, REUSED)

    def known(self, source: Source) -> Known:
        name = source.table.name
        note = self.taken.get(name, "")
        return Known(note == IN_PLACE, name in self._contents, note)

    def is_checked(self, loaded: Loaded) -> bool:
        return loaded.source.table.name in self._checked

    def show_input(self, source: Source, hashed: bool) -> Loaded:
        name = source.table.name
        facts = self._found[name].facts
        whole = loading(source, name in self._plan.inputs.droppable)
        for file, known in zip(source.each, facts["files"], strict=True):
            each = loading(file, whole.dropping) if source.pieces else whole
            each.rows, each.before, each.dropped = known["rows"], known["before"], known["dropped"]
            for noun, which, *left_out in known["omitted"]:
                each.problems.leave_out_again(noun, which, *left_out)
            if source.pieces:
                whole.problems.add_file(each.problems, each.before)
                whole.pieces.append(each)
        whole.rows, whole.merged, whole.dropped = facts["rows"], facts["merged"], facts["dropped"]
        whole.digest = tuple(facts["digest"])
        self._show(name, name, ROWS)
        self._show(list_name(name), name, DROPPED)
        self.read(whole, hashed)
        return whole

    def _show(self, name: str, result: str, table: str) -> None:
        """Let SQL read a table that is taken under a name."""
        if path := self._paths.get((result, table)):
            query = self._found[result].tables[table].query(path)
            if self._copied:
                self._session.create(name, query)
            else:
                self._session.run(f"CREATE VIEW {quoted(name)} AS {query}")

    def read(self, loaded: Loaded, hashed: bool) -> None:
        """Take note of an input that was loaded. Raises InputError if a file has changed since it was hashed."""
        name = loaded.source.table.name
        self._seconds[name] = loaded.seconds
        for file, (stamp, content) in zip(loaded.each, self._contents.get(name, ()), strict=False):
            stamp.check(file.source.shown)
            file.stamp = stamp  # which is checked again at the end
            file.content = content if hashed else None

    def checked(self, loaded: Loaded) -> None:
        """Keep what is known of an input that was loaded and has no faults, without its rows."""
        name = loaded.source.table.name
        address, checks = self._addresses.rows[name], self._addresses.checks[name]
        if checks and name not in self._checked:
            self._store.keep(Artefact(checks, f"checks of {name}", 0.0))
        if address and self.taken.get(name) in (None, IN_PLACE) and name not in self._prepared:
            tables = {DROPPED: list_name(name)} if loaded.dropped else {}
            self._results[name] = Artefact(address, f"input {name}", self._seconds[name], facts=self._facts(loaded))
            if name not in self._found:
                self._keep(name, tables)

    def _facts(self, loaded: Loaded) -> dict[str, Any]:
        """What is kept of an input beside its rows."""
        source = loaded.source
        is_parquet = source.format is not None and source.format.read is None and source.format is not DUCKDB
        altered = bool(loaded.merged or loaded.dropped)
        files = [
            {"rows": each.rows, "before": each.before, "dropped": each.dropped, "omitted": each.problems.left_out}
            for each in loaded.each
        ]
        return {
            "rows": loaded.rows,
            "digest": loaded.digest,
            "merged": loaded.merged,
            "dropped": loaded.dropped,
            "in_place": not altered and (is_parquet or not self._session.is_stored(source.table.name)),
            "files": files,
        }

    # -- steps -----------------------------------------------------------------------------------

    def has(self, step: Step) -> bool:
        """Whether a step is not run, because its rows are kept or not needed; see :class:`.Supply`."""
        return self.settles(step) or (step.physical, ROWS) in self._paths

    def settles(self, step: Step) -> bool:
        return step.physical in self._warnings

    def show(self, step: Step) -> Done:
        name, rows, found = step.physical, 0, self._found.get(step.physical)
        if (name, ROWS) in self._paths and found:
            self._show(name, name, ROWS)
            self.taken[name], rows = REUSED, found.tables[ROWS].rows
        said = tuple(self._warnings[name]) if name in self._warnings else None
        return Done(name, rows, by=self.taken[name], earlier=found.seconds if found else 0.0, said=said)

    def made(self, step: Step, done: Done, said: Sequence[str | None]) -> None:
        address = self._addresses.rows[step.physical]
        if address is None:
            return
        name, notices = step.physical, list(map(notice_key, self._notices(step)))
        self._seconds[name] = done.seconds
        outcome = dict(zip(notices, [None] * (len(notices) - len(said)) + [*said], strict=True))
        facts = {"rows": done.rows, "notices": outcome}
        self._results[name] = Artefact(address, step.label, done.earlier, facts=facts)
        if notices and self._outcome(step, self._found.get(name)) is None:
            self._keep(name, {ROWS: name} if name in self._kept else {})

    # -- what is kept ----------------------------------------------------------------------------

    def keep(self, names: Iterable[str]) -> None:
        """Keep the rows of inputs and steps of this run, before they are dropped, if they were expensive to make."""
        for name in names:
            if name in self._results and name not in self._kept and self._session.is_table(name):
                self._keep_rows(name)

    def keep_rest(self) -> None:
        """Keep the rows that are not dropped in the run."""
        self.keep(list(self._results))

    def _keep_rows(self, name: str) -> None:
        spent = time.perf_counter() - self._begun - self._writing
        saved, left = self._saved(name), SHARE * spent - self._writing
        facts = self._results[name].facts
        if saved < LEAST or left <= 0 or facts.get("in_place"):
            return
        begun = time.perf_counter()
        self._results[name] = replace(self._results[name], seconds=saved)
        dropped = {DROPPED: list_name(name)} if facts.get("dropped") else {}
        if self._keep(name, {ROWS: name, **dropped}, min(WORTH * saved, left)):
            self._kept.add(name)
        self._writing += time.perf_counter() - begun

    def _saved(self, name: str) -> float:
        """The seconds that an input or step took, with everything below it that is not kept."""
        todo, seen = [name], set()
        while todo:
            each = todo.pop()
            if each not in seen and (each == name or each not in self._kept):
                seen.add(each)
                todo += self._addresses.reads.get(each, ())
        return sum(self._seconds.get(each, 0.0) for each in seen)

    def _keep(self, name: str, tables: Mapping[str, str], seconds: float = inf) -> bool:
        """Keep a result with some tables; ``tables`` has the name of each in the work database."""
        facts = self._results[name].facts

        def write(table: str, path: Path) -> StoredTable | None:
            if known := self._paths.get((name, table)):
                os.link(known, path)
                return self._found[name].tables[table]
            rows = facts["rows"] if table == ROWS else facts["dropped"]
            return write_rows(self._session, tables[table], path, rows, seconds)

        return self._store.keep(self._results[name], tables, write)
