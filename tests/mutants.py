"""Changes one comparison, sign or constant at a time, and says which tests see it: quick ones, slow ones or none.

    python tests/mutants.py --seed 1 --number 200 --only sql/term_discovery

Each mutant is made in a copy of the checkout. The cases of its domain and the quick tests that name its file run first,
then all of tests/unit, then the slow ones that name it. A mutant that only a slow test kills asks for a quicker test.
The snapshots of plans see every change of SQL, so that they would prove nothing, and are left out.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import re
import subprocess
import sys
import tempfile
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
MUTATED = ("sql", *(f"engine/scorespec/{name}" for name in ("formats", "functions", "plan/kinds", "statistics")))
CHANGES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "<>": "=", "+": "-", "-": "+", "AND": "OR"}
CHANGES |= {"least": "greatest", "greatest": "least", "min": "max", "max": "min"}
WORDS = r"\b(AND|least|greatest|min|max|\d+)\b"
IN_SQL = re.compile(rf"(?s)\{{#.*?#\}}|--[^\n]*|'[^']*'|(?<=\s)(<=|>=|<>|<|>|\+|-)(?=\s)|{WORDS}")
MOST_FILES = 10  # test files that are run for a mutant
LEFT_OUT = {"test_plans.py", "test_docs.py", "test_architecture.py", "test_fuzz.py"}


def changed(token: str) -> str:
    return CHANGES[token] if token in CHANGES else str(int(token) + 1)


def places(path: Path) -> Iterator[tuple[int, str]]:
    """The tokens of a file that can be changed, with their offsets."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        for found in IN_SQL.finditer(text):
            if token := found[1] or found[2]:
                yield found.start(), token
        return
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        plain_number = token.type == tokenize.NUMBER and token.string.isdigit()
        operator = token.type == tokenize.OP and token.string in CHANGES
        if plain_number or operator:
            yield starts[token.start[0] - 1] + token.start[1], token.string


def tests_of(path: Path) -> list[str]:
    """The test files that name a file or its folders, those that name it most first; of SQL, the cases before all."""
    words = {path.stem, *path.relative_to(ROOT).parts[1:-1]} - {"scorespec", "shared", "plan"}
    counted = {}
    for test in sorted((ROOT / "tests").rglob("test_*.py")):
        text = test.read_text(encoding="utf-8")
        count = sum((3 if word == path.stem else 1) * len(re.findall(rf"\b{word}\b", text)) for word in words)
        if count and test.name not in {*LEFT_OUT, "test_cases.py"}:
            counted[test.relative_to(ROOT).as_posix()] = count
    cases = ["tests/specs/test_cases.py"] if path.suffix == ".sql" else []
    return [*cases, *sorted(counted, key=lambda name: -counted[name])][:MOST_FILES]


def first_failure(copy: Path, tests: list[str], marks: str, *options: str) -> str | None:
    """The first test that fails, or what ended the tests; None if all pass."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", marks, *options, *tests]
    given = {"env": {**os.environ, "PYTHONPATH": str(copy / "engine"), "OPENBLAS_NUM_THREADS": "1"}, "timeout": 1800}
    try:
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False, **given)
    except subprocess.TimeoutExpired:
        return "the tests do not end"
    if done.returncode in (0, 5):  # 5: none is selected
        return None
    found = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - |$)", done.stdout, re.MULTILINE)
    return found[1] if found else done.stdout[-300:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=200, help="mutants")
    parser.add_argument("--only", default="", help="part of the paths of the files to change")
    asked = parser.parse_args()
    files = (path for folder in MUTATED for path in sorted((ROOT / folder).rglob("*.*")))
    paths = [path for path in files if path.suffix in (".py", ".sql") and asked.only in path.as_posix()]
    every = [(path, at, token) for path in paths for at, token in places(path)]
    chosen = random.Random(asked.seed).sample(every, min(asked.number, len(every)))
    counts = {"quick": 0, "slow": 0, "none": 0}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        kept = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=kept, check=True)
        for number, (path, at, token) in enumerate(chosen):
            name, text = path.relative_to(ROOT), path.read_text(encoding="utf-8")
            (copy / name).write_text(text[:at] + changed(token) + text[at + len(token) :], encoding="utf-8")
            os.utime(copy / name, (number, number))  # a compiled module is recognised by its time and size
            tests, domain = tests_of(path), name.parts[1]
            cases = first_failure(copy, tests[:1], "not slow", "-k", domain) if path.suffix == ".sql" else None
            by, failed = "quick", cases or first_failure(copy, tests, "not slow")
            failed = failed or first_failure(copy, ["tests/unit"], "not slow", "-n", "auto")
            if failed is None:
                by, failed = "slow", first_failure(copy, tests, "slow")
            by = by if failed else "none"
            counts[by] += 1
            place = f"{name}:{text.count(chr(10), 0, at) + 1}"
            print(f"{by:5}  {place}  {token} -> {changed(token)}  {failed or ', '.join(tests)}", flush=True)
            (copy / name).write_text(text, encoding="utf-8")
            os.utime(copy / name, (number + 1e6, number + 1e6))
    print(", ".join(f"{count} {by}" for by, count in counts.items()))


if __name__ == "__main__":
    main()
