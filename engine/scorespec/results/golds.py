"""The gold of runs: the inputs that do not belong to the submission, by a hash of each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from scorespec.core.result_tables import InputRecord, RunRecord

OLDER = "left out, because their gold is older (`rescore` scores them again): "  # then the names of runs


def gold_of(inputs: Iterable[InputRecord], submitted: Collection[str], of_slices: Collection[str]) -> str | None:
    """A hash of each input that is not ``submitted``, as JSON; None if one on which scores depend is not a file.

    Under `slices` are those ``of_slices``, on which only the scores of breakdowns depend, under `whole` all others.
    """
    files: dict[str, dict[str, list[tuple[str | None, str]]]] = {"whole": {}, "slices": {}}
    for each in inputs:
        if each.name not in submitted:
            part = files["slices" if each.name in of_slices else "whole"]
            part.setdefault(each.name, []).append((each.sha256, each.format))
    if any(sha256 is None for each in files["whole"].values() for sha256, _ in each):
        return None
    hashed = {part: {name: _hash(sorted(each, key=str)) for name, each in of.items()} for part, of in files.items()}
    return json.dumps(hashed, sort_keys=True)


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()


def gold_inputs(gold: str, slices: bool = False) -> dict[str, str]:
    """The hash of each input of a gold on which scores of the whole depend, or, with ``slices``, any scores."""
    found = json.loads(gold) if gold.startswith("{") else {"whole": {"gold": gold}, "slices": {}}
    return {**found["whole"], **(found["slices"] if slices else {})}


def with_older_gold(runs: Mapping[int, RunRecord]) -> list[int]:
    """The numbers of runs that have another version of an input than the latest run of the same suite and corpus."""
    golds, latest = dict[int, dict[str, str]](), dict[tuple[str, str | None], int]()
    for number, run in sorted(runs.items(), key=lambda each: (each[1].time, each[0])):
        if run.gold is not None:
            golds[number], latest[run.suite, run.corpus] = gold_inputs(run.gold), number
    newest = {number: golds[latest[runs[number].suite, runs[number].corpus]] for number in golds}
    return [at for at, gold in golds.items() if any(newest[at].get(name, each) != each for name, each in gold.items())]
