"""SQL as the syntax tree of DuckDB's parser, in JSON."""

from __future__ import annotations

from functools import cache
from typing import Any

import duckdb


@cache
def parser() -> Any:
    """A locked connection without data, for parsing SQL."""
    connection = duckdb.connect(
        config={
            "threads": 1,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "enable_external_access": False,
            "python_enable_replacements": False,
        }
    )
    connection.execute("SET lock_configuration = true")
    return connection
