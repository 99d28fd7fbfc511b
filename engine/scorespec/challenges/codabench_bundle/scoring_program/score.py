"""Scores one submission on Codabench: reads input/ref and input/res, and writes output/scores.json.

Call it as `python3 score.py INPUT OUTPUT`. The file challenge.yaml beside it says what is scored and which files are
read. A submission that cannot be scored ends with a message to the participant on standard error and exit code 1.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import yaml

import scorespec
from scorespec.core.terminal import say, visible

PROGRAM = Path(__file__).resolve().parent
SUBMISSION = Path("res")
PATTERN = "*?[]:"  # characters with which a path is more than the name of a file


def main(input_folder: Path, output_folder: Path) -> None:
    """Score the files of the input folder."""
    output = output_folder.resolve()
    challenge = yaml.safe_load((PROGRAM / "challenge.yaml").read_text(encoding="utf-8"))
    os.chdir(input_folder)  # messages then name a file as participants know it, such as res/results.csv
    found = {
        **files(Path("ref"), challenge["reference"], "the challenge lacks {}; please tell the organisers"),
        **files(SUBMISSION, challenge["submitted"], "the submission lacks {}"),
    }
    formats = challenge["formats"]
    inputs = {name: f"{path}::{formats[name]}" if name in formats else str(path) for name, path in found.items()}
    run = scorespec.score(
        challenge["suite"],
        inputs=inputs,
        params=challenge["params"],
        metrics=challenge["metrics"],
        withhold=challenge["withhold"],
        specs=[PROGRAM / each for each in challenge["specs"]],
        keep_evidence=False,
    )
    for warning in run.warnings:
        say(f"warning: {visible(warning)}")
    say(run.short_signature)
    text = json.dumps(run.flat_scores(), indent=2)
    (output / "scores.json").write_text(text + "\n", encoding="utf-8")


def files(folder: Path, wanted: Mapping[str, Sequence[str]], lacks: str) -> dict[str, Path]:
    """The file of each input in a folder: its name is that of the input, with any suffix. Exits if one is missing.

    A link in a submission could lead to the reference data.
    """
    every = [each for each in sorted(folder.rglob("*")) if each.is_file() and not is_hidden(each)]
    for each in every:
        if folder == SUBMISSION and not each.resolve().is_relative_to(folder.resolve()):
            end(f"{each}: this is a link; give the file itself")
    found: dict[str, Path] = {}
    for name in (*wanted["required"], *wanted["optional"]):
        named = [each for each in every if each.name.partition(".")[0] == name]
        if len(named) > 1:
            end(f"several files are named {name}.*: {', '.join(map(str, named))}; give one")
        if any(set(each.name) & set(PATTERN) for each in named):
            end(f"{named[0]}: rename the file; its name has one of the characters {PATTERN}")
        if named:
            found[name] = named[0]
        elif name in wanted["required"]:
            there = ", ".join(str(each.relative_to(folder)) for each in every) or "no files"
            end(f"{lacks.format(f'a file named {name}.*')} (there: {there})")
    return found


def end(message: str) -> NoReturn:
    """Exit with a message, which may have names that participants chose."""
    sys.exit(visible(message))


def is_hidden(path: Path) -> bool:
    """Whether a file is not meant by the participant: some systems add such files to archives."""
    return any(part.startswith((".", "__MACOSX")) for part in path.parts)


def run_as_program(arguments: Sequence[Any]) -> None:
    """Score by the arguments of the command line; the message of a user's error is all that is printed."""
    try:
        main(*map(Path, arguments))
    except scorespec.ScorespecError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    run_as_program(sys.argv[1:])
