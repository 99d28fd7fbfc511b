"""Prints the lowest version of each dependency that pyproject.toml allows, as pip constraints (`make test-lowest`)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
# With the program the tests need these of its optional dependencies; the others judge the code and do not run it.
TOOLS = ("mypy", "ruff")


def lowest() -> list[str]:
    """`name==version` of each dependency, those of the tests included."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    declared = project["dependencies"] + project["optional-dependencies"]["test"]
    found = []
    for each in declared:
        bound = re.fullmatch(r"([a-z0-9-]+)>=([0-9.]+)(,<[0-9.]+)?", each)
        if bound is None:
            raise ValueError(f"{PROJECT.name}: {each!r} has no lowest version; write NAME>=VERSION")
        if bound[1] not in TOOLS:
            found.append(f"{bound[1]}=={bound[2]}")
    return found


if __name__ == "__main__":
    print("\n".join(lowest()))
