"""Runs tasks on an engine that exists already: processes of this machine, Dask or Ray.

An adapter translates an engine to the protocol of :class:`.Engine`. It is a module with the name of the engine, whose
function ``connect`` is called with the address and the number of tasks if that is known.
"""

from __future__ import annotations

import re
from importlib import import_module

from scorespec.errors import UsageError
from scorespec.parts.engines.protocol import Engine, reported

ENGINES = {  # the forms of addresses, as messages show them and as patterns; each begins with the name of the engine
    "processes:N": r"processes:[1-9][0-9]{0,3}",
    "dask://HOST:PORT": r"dask://[^/]+:[0-9]+",
    "ray://HOST:PORT": r"ray://[^/]+:[0-9]+",
}


def connect(on: str, tasks: int | None = None) -> Engine:
    """The engine ``on`` which tasks are to run, of which there may be a known number.

    Raises UsageError if the engine is not known or not installed, RunError if it cannot be reached.
    """
    name = on.partition(":")[0]
    if not any(re.fullmatch(pattern, on) for pattern in ENGINES.values()):
        *forms, last = ENGINES
        raise UsageError(f"--on {on!r}: write {', '.join(forms)} or {last}")
    try:
        adapter = import_module(f"{__name__}.{name}")
    except ImportError as error:
        said = f"--on {on} needs a package that is not installed ({error.name}); pip install 'scorespec[{name}]'"
        raise UsageError(said) from None
    with reported(on):
        engine: Engine = adapter.connect(on, tasks)
    return engine
