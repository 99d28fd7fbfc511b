"""What scores depend on in addition to inputs and documents: versions of libraries, and the functions of numbers."""

from __future__ import annotations

import hashlib
import os
import socket
from collections.abc import Callable, Mapping
from functools import cache

import duckdb
import numpy as np
from numpy.typing import NDArray

from scorespec.version import __version__, library_versions

POINTS = 1_000
SQL = "SELECT {calls} FROM (SELECT i * 0.0217e0 + 0.013e0 AS x FROM range({points}) AS t(i))"
CALLS = {"exp": "exp(x)", "ln": "ln(x)", "log2": "log2(x)", "pow": "pow(x, 0.37e0)", "sqrt": "sqrt(x)"}

Floats = NDArray[np.float64]
NUMPY: Mapping[str, Callable[[Floats], Floats]] = {
    "exp": np.exp,
    "log": np.log,
    "log2": np.log2,
    "power": lambda x: np.power(x, 0.37),
    "sqrt": np.sqrt,
}


@cache
def computing() -> Mapping[str, str]:
    """The versions of libraries, and a hash of the values of each function at 1,000 points, by what they are of."""
    asked = SQL.format(calls=", ".join(f"{call} AS {name}" for name, call in CALLS.items()), points=POINTS)
    with duckdb.connect() as connection:
        values = connection.execute(asked).fetchnumpy()
    points: Floats = np.arange(POINTS, dtype=np.float64) * 0.0217 + 0.013
    return {
        "scorespec": __version__,
        **library_versions(),
        **{f"{name}() of DuckDB": _hash(values[name]) for name in CALLS},
        **{f"{name}() of numpy": _hash(compute(points)) for name, compute in NUMPY.items()},
    }


def _hash(values: Floats) -> str:
    return hashlib.sha256(np.asarray(values).tobytes()).hexdigest()[:8]


def difference(expected: Mapping[str, str]) -> str | None:
    """How this worker computes otherwise than the process that gave the task; None if it does not."""
    here = computing()
    found = [
        f"{name} {here.get(name)} instead of {value}" for name, value in expected.items() if here.get(name) != value
    ]
    worker = f"the worker {socket.gethostname()}, process {os.getpid()}"
    return f"{worker} would not compute the same scores: it has {', '.join(found)}" if found else None
