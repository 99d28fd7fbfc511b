"""Python functions that relations use: they read the rows of a query and yield rows.

A function sees columns, never the name of a suite or a domain, and returns rows, never a score.
"""

from __future__ import annotations

from scorespec.functions import (
    branches,
    chains,
    distance,
    edits,
    isotonic,
    matching,
    minimal_paths,
    normalization,
    phonetics,
    spectrograms,
    streams,
    substitution,
    trajectories,
)

_MODULES = (
    distance,
    minimal_paths,
    edits,
    streams,
    phonetics,
    chains,
    branches,
    matching,
    isotonic,
    trajectories,
    spectrograms,
    substitution,
    normalization,
)
RELATION_FUNCTIONS = {each.name: each for module in _MODULES for each in module.FUNCTIONS}
