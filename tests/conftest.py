"""What every test may use: where the data is, and a way to score a fixture submission."""

from __future__ import annotations

from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"
EXTERNAL = Path(__file__).parents[2] / "shared" / "external"


@pytest.fixture(scope="session")
def term_discovery() -> Path:
    """The fixture corpora of term discovery."""
    return DATA / "term_discovery"


@pytest.fixture(scope="session")
def sample() -> Path:
    """The sample corpus of the 2015 evaluator: third-party data that is read in place."""
    folder = EXTERNAL / "term_discovery" / "sample"
    if not folder.is_dir():
        pytest.skip("the sample corpus is not on this machine (third-party data, not part of the project)")
    return folder
