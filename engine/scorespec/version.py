"""The version of scorespec, which every signature carries, and those of the libraries that compute scores."""

from __future__ import annotations

from functools import cache

__version__ = "0.1.0"
LIBRARIES = ("duckdb", "numpy", "pyarrow", "rapidfuzz", "scipy")


@cache
def library_versions() -> dict[str, str]:
    """The versions of the libraries by name."""
    from importlib.metadata import version  # slow to load

    return {name: version(name) for name in LIBRARIES}
