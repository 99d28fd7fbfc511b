"""Runs the fuzzers for some minutes (`make fuzz`): prints each fault, and keeps its files in `tests/fuzz/found/`."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from fuzzers import FUZZERS, warm_up
from judging import Outcome, attempt
from seeds import Seed, seeds
from transcripts import faults_of_words

from scorespec.catalog.lookup import load_catalog

HERE = Path(__file__).parent


def main() -> int:
    """How many calls were at fault, at most 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--cases", type=int, default=10**9, help="calls of each fuzzer, at most")
    parser.add_argument("--first", type=int, default=0, help="number of the first call")
    parser.add_argument("--only", choices=FUZZERS, action="append", help="only this fuzzer")
    parser.add_argument("--corpus", nargs="*", type=Path, help="run these folders, and print what each left as JSON")
    parser.add_argument("--every", type=int, help="with --corpus: also run every Nth seed as it is")
    given = parser.parse_args()
    load_catalog()  # once, and not in each process of a call
    if given.corpus is not None:
        left = {each.name: replay(each) for each in given.corpus}
        if given.every:
            left |= {f"seed {number}": score_seed(seeds()[number]) for number in range(0, len(seeds()), given.every)}
        print(json.dumps({name: vars(outcome) for name, outcome in left.items()}, default=sorted))
        return 0
    codes: Counter[tuple[str, int]] = Counter()
    faults = 0
    started = time.monotonic()
    warm_up()
    for name, number in _calls(given.only or list(FUZZERS), given.first, given.cases):
        if time.monotonic() - started > given.minutes * 60:
            break
        outcome = fuzz(name, given.seed, number)
        codes[name, outcome.code] += 1
        if outcome.faults:
            faults += 1
            _report(name, given.seed, number, outcome)
    for (name, code), count in sorted(codes.items()):
        print(f"{name}: {count} calls ended with {code}")
    print(f"{faults} faults in {sum(codes.values())} calls, {time.monotonic() - started:.0f} s")
    return min(faults, 1)


def _calls(names: list[str], first: int, cases: int) -> Iterator[tuple[str, int]]:
    """The fuzzers in turn."""
    return ((name, number) for number in range(first, first + cases) for name in names)


def fuzz(name: str, seed: int, number: int) -> Outcome:
    """One call of a fuzzer, judged; what is scored is scored again by more threads."""

    def make(folder: Path) -> list[str]:
        return FUZZERS[name](Random(f"{name} {seed} {number}"), folder)

    outcome = attempt(make)
    outcome.faults += _faults_of_input(name, outcome)
    if name == "transcripts":
        outcome.faults += faults_of_words(outcome.arguments, outcome.code, outcome.out)
    if name != "calls" and outcome.code == 0 and outcome.arguments[0] == "score" and not outcome.faults:
        one, three = (attempt(make, ["--format", "csv", "--threads", count]) for count in ("1", "3"))
        if one.out != three.out:
            outcome.faults.append("other scores by three threads than by one")
    return outcome


def _faults_of_input(name: str, outcome: Outcome) -> list[str]:
    """What is wrong with a call of which only a file was changed."""
    faults = []
    if name in ("readers", "columns", "transcripts"):
        asks = re.match(r"error: \S+: which columns? ", outcome.err)  # a header without a known name: the call can say
        if outcome.code not in (0, 1) and not (outcome.code == 2 and asks):
            faults.append(f"a bad file ended with {outcome.code}")
        named = [each.partition("=")[2].partition("::")[0] for each in outcome.arguments if "=" in each]
        by_relation = re.match(r"[a-z_0-9]+: ", outcome.err)  # what is wrong with files together
        if outcome.code == 1 and not (
            by_relation or outcome.err.startswith(tuple(f"{each}:" for each in named if each))
        ):
            faults.append("a bad file is not named where the message begins")
    if outcome.made and not (name == "calls" and outcome.code == 0):
        faults.append(f"left {sorted(outcome.made)} in the working folder")
    return faults


def replay(entry: Path) -> Outcome:
    """Run an entry of the corpus: its file `call` has the exit code (or ?), then an argument on each line."""
    entry = entry.absolute()  # the call has a working folder of its own
    expected, *arguments = (entry / "call").read_text(encoding="utf-8").split("\n")

    def make(folder: Path) -> list[str]:
        for each in entry.rglob("*"):
            if each.is_file() and each.name != "call":
                target = folder / each.relative_to(entry)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(each.read_bytes())
        return arguments

    outcome = attempt(make)
    if expected != "?" and outcome.code != int(expected):
        outcome.faults.append(f"ended with {outcome.code}, not {expected}")
    return outcome


def score_seed(seed: Seed) -> Outcome:
    """Run a seed as it is."""

    def make(folder: Path) -> list[str]:
        for name, data in seed.files.items():
            (folder / name).write_bytes(data)
        return seed.arguments()

    return attempt(make)


def _report(name: str, seed: int, number: int, outcome: Outcome) -> None:
    print(f"--- {name} {number}: {'; '.join(outcome.faults)}")
    print(f"    scorespec {' '.join(map(repr, outcome.arguments))}"[:600])
    print("".join(f"    {line[:300]}\n" for line in outcome.err.splitlines()[-6:]), flush=True)
    entry = HERE / "found" / f"{name}-{seed}-{number}"
    shutil.rmtree(entry, ignore_errors=True)  # of an earlier run
    entry.mkdir(parents=True)
    arguments = FUZZERS[name](Random(f"{name} {seed} {number}"), entry)
    (entry / "call").write_text("\n".join(["1", *arguments]), encoding="utf-8", errors="replace")


if __name__ == "__main__":
    # What calls import is imported once, before the first fork; no thread and no database is opened here.

    sys.exit(main())
