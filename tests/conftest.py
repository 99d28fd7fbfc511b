"""What every test may use: where the data is, and a way to score a fixture submission."""

from __future__ import annotations

import gc
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

from external import DIARIZATION, SAMPLE, SCTK

DATA = Path(__file__).parent / "data"
ENGINES = {"distributed": "Dask", "ray": "Ray"}  # by the package that they need, which need not be installed

MOST = 2  # parameters of a test that `make test` runs; `make test-all` runs the others as well
ALL = (
    "test_cases",
    "test_docs",
    "test_safety",
    "test_hostile",
    "test_bad_",
    "test_plans",
)  # modules without this limit

settings.register_profile("patient", deadline=None)  # an example takes longer on a busy machine
settings.load_profile("patient")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test with many parameters, those after the first ``MOST`` are slow."""
    quick = Counter[str]()
    for item in items:
        name = item.nodeid.partition("[")[0]
        if "slow" not in item.keywords and not any(f"/{module}" in name for module in ALL):
            quick[name] += 1
            if quick[name] > MOST:
                item.add_marker("slow")


@pytest.fixture(scope="session")
def term_discovery() -> Path:
    """The fixture corpora of term discovery."""
    return DATA / "term_discovery"


@pytest.fixture(scope="session")
def sample() -> Path:
    """The sample corpus of the 2015 evaluator: third-party data that is read in place."""
    if not SAMPLE.is_dir():
        pytest.skip("the sample corpus of the 2015 evaluator, which is not part of the project, is not on this machine")
    return SAMPLE


@pytest.fixture(scope="session")
def sctk() -> Path:
    """The folder src/sclite/testdata of NIST's SCTK: third-party data that is read in place."""
    if not SCTK.is_dir():
        pytest.skip("SCTK's test files, which are not part of the project, are not on this machine (SCTK_TESTDATA)")
    return SCTK


def _of_diarization(program: str) -> Path:
    if not (folder := DIARIZATION[program]).is_dir():
        pytest.skip(f"the test files of {program}, which are not part of the project, are not on this machine")
    return folder


@pytest.fixture(scope="session")
def md_eval() -> Path:
    """The folder src/md-eval/test of NIST's SCTK: third-party data that is read in place."""
    return _of_diarization("md-eval")


@pytest.fixture(scope="session")
def dscore() -> Path:
    """The folder scorelib/tests of dscore: third-party data that is read in place."""
    return _of_diarization("dscore")


@pytest.fixture(scope="session")
def pyannote() -> Path:
    """The folder tests of pyannote.metrics: third-party data that is read in place."""
    return _of_diarization("pyannote.metrics")


def pytest_collection_finish() -> None:
    """Python's garbage collector looks at the objects of all tests again and again: after each 700 new objects.

    Here it leaves out the tests, and looks at new objects by the 100,000, which saves a tenth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000)


def pytest_unconfigure() -> None:
    gc.unfreeze()  # or DuckDB would report at the end that its objects are still there


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not SAMPLE.is_dir():
        terminalreporter.write_line(f"{SAMPLE} is missing: the tests that score this third-party corpus were skipped")
    if not SCTK.is_dir():
        terminalreporter.write_line(f"{SCTK} is missing: the tests that score SCTK's own files were skipped")
    for program, folder in DIARIZATION.items():
        if not folder.is_dir():
            terminalreporter.write_line(f"{folder} is missing: the tests that score files of {program} were skipped")
    for package, engine in ENGINES.items():
        if find_spec(package) is None:
            said = f"{package} is not installed: the tests that score on {engine} were skipped (`make test-engines`)"
            terminalreporter.write_line(said)
