"""Scores one submission on Codabench: reads input/ref and input/res, and writes scores and a report to output.

Call it as `python3 score.py INPUT OUTPUT`. The file challenge.yaml next to it says what is scored and which files are
read. A submission that cannot be scored ends with a message to the participant on standard error and exit code 1.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import yaml

import scorespec
from scorespec.core.score_text import score_key
from scorespec.core.terminal import NOTE, say, visible

PROGRAM = Path(__file__).resolve().parent
REFERENCE, SUBMISSION = Path("ref"), Path("res")
PATTERN = "*?[]:"  # characters that make a path more than the name of a file
ONLY = ""  # the name of the corpus of a challenge with one corpus


def main(input_folder: Path, output_folder: Path) -> None:
    """Score the files of the input folder."""
    output = output_folder.resolve()
    scored, report = output / "scores.json", output / "detailed_results.html"
    for earlier in (scored, report):  # a submission that fails must not leave the results of another
        earlier.unlink(missing_ok=True)
    challenge = yaml.safe_load((PROGRAM / "challenge.yaml").read_text(encoding="utf-8"))
    os.chdir(input_folder)  # messages then name a file as participants know it, such as res/results.csv
    inputs = {corpus: inputs_of(challenge, corpus) for corpus in challenge["corpora"] or [ONLY]}
    specs = [PROGRAM / each for each in challenge["specs"]]
    with TemporaryDirectory() as folder:
        results = Path(folder) / "results.duckdb"
        runs = {
            corpus: scorespec.score(
                challenge["suite"],
                inputs=each,
                params=challenge["params"],
                metrics=challenge["metrics"],
                withhold=challenge["withhold"],
                specs=specs,
                output=results,
                keep_evidence=challenge["evidence"],
                name="submission",
                corpus=corpus or None,
            )
            for corpus, each in inputs.items()
        }
        for corpus, run in runs.items():
            for warning in run.warnings:
                label = "" if warning.startswith(NOTE) else "warning: "
                say(f"{label}{corpus}{corpus and ': '}{visible(warning)}")
        say(next(iter(runs.values())).short_signature)
        scores = flat_scores({corpus: run.flat_scores() for corpus, run in runs.items()})
        scored.write_text(json.dumps(scores, indent=2) + "\n", encoding="utf-8")
        page = scorespec.open_results(results).report(specs=specs)
        page.save(report)


def flat_scores(found: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The scores under one name each. Of several corpora, these are means, and the scores of each corpus.

    A score that is undefined on one of the corpora has no mean.
    """
    if ONLY in found:
        return dict(found[ONLY])
    common = [key for key in next(iter(found.values())) if all(key in scores for scores in found.values())]
    means = {key: fmean(scores[key] for scores in found.values()) for key in common}
    each = {score_key(key, corpus, {}): value for corpus, scores in found.items() for key, value in scores.items()}
    if both := means.keys() & each.keys():
        end(f"two scores have the name {min(both)!r}; please tell the organisers to give their corpora other names")
    return {**means, **each}


def inputs_of(challenge: Mapping[str, Any], corpus: str) -> dict[str, str]:
    """The paths of the inputs of a corpus, with the formats that the challenge names."""
    found = {
        **files(REFERENCE / corpus, challenge["reference"], "the challenge lacks {}; please tell the organisers"),
        **files(SUBMISSION, challenge["submitted"], "the submission lacks {}", corpus),
    }
    formats = {name: challenge["formats"].get(f"{corpus}{corpus and '/'}{name}") for name in found}
    return {name: f"{path}::{formats[name]}" if formats[name] else str(path) for name, path in found.items()}


def files(folder: Path, wanted: Mapping[str, Sequence[str]], lacks: str, corpus: str = ONLY) -> dict[str, Path]:
    """The file of each input in a folder: its name is that of the input, with any suffix. Exits if one is missing.

    If a ``corpus`` is named, its files are in a folder of this name. A link in a submission could lead to the reference
    data.
    """
    every = [each for each in sorted(folder.rglob("*")) if each.is_file() and not is_hidden(each)]
    for each in every:
        if folder == SUBMISSION and not each.resolve().is_relative_to(folder.resolve()):
            end(f"{each}: this is a link; give the file itself")
    found: dict[str, Path] = {}
    for name in (*wanted["required"], *wanted["optional"]):
        named = [each for each in every if each.name.partition(".")[0] == name and corpus in (ONLY, each.parent.name)]
        if len(named) > 1:
            end(f"several files are named {name}.*: {', '.join(map(str, named))}; give one")
        if any(set(each.name) & set(PATTERN) for each in named):
            end(f"{named[0]}: rename the file; its name has one of the characters {PATTERN}")
        if named:
            found[name] = named[0]
        elif name in wanted["required"]:
            there = ", ".join(str(each.relative_to(folder)) for each in every) or "no files"
            where = f" in a folder {corpus}" if corpus else ""
            end(f"{lacks.format(f'a file named {name}.*{where}')} (there: {there})")
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
