"""Prints, as JSON, what `--reuse` does in a new process: the addresses of all formats, and what a run reads.

Its argument is the folder with `r.stm` and `h.stm`, in which `kept` is the folder of `--reuse`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import scorespec
from examples import CATALOG
from scorespec.formats import FORMATS
from scorespec.reuse import kept_steps as reuse
from scorespec.reuse.addresses import identity
from scorespec.run.inputs.files import Content
from scorespec.run.inputs.sources import Source

folder = Path(sys.argv[1])
table = CATALOG.of_suite(CATALOG.suite("wer")).table("reference")
files = {name: Source(table, name, folder / name, each) for name, each in FORMATS.items()}
odd = partial(FORMATS["stm"].read, {"a", "b"}, key=object())  # a set has no order, and an object has an address
files["odd"] = replace(files["stm"], format=replace(FORMATS["stm"], read=odd))
addresses = {name: identity(source, [Content(1, "0")]) for name, source in files.items()}

reuse.LEAST, reuse.WORTH, reuse.SHARE = -1.0, 1e9, 1e9  # rows of every step are kept
run = scorespec.score(
    "wer", reference=folder / "r.stm", hypothesis=folder / "h.stm", reuse=folder / "kept", keep_evidence=False
)
done = [cost.label for cost in run.costs if not cost.note]
print(
    json.dumps(
        {"addresses": addresses, "done": done, "value": run["wer"]["value"], "kept": len([*folder.glob("kept/*")])}
    )
)
