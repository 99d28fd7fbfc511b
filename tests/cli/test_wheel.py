"""The wheel has all it needs: it is built, installed into an empty environment, and used away from the checkout."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from scorespec.catalog.lookup import load_catalog

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True)
    return next(folder.glob("scorespec-*.whl"))


def test_the_wheel_holds_every_document_and_template(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("specs", "sql"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file():
                assert f"scorespec/{path.relative_to(ROOT).as_posix()}" in names
    bundles = ROOT / "engine" / "scorespec" / "challenges"
    for path in bundles.rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            assert path.relative_to(ROOT / "engine").as_posix() in names
    assert not [name for name in names if name.startswith(("tests/", "docs/"))]


def test_it_scores_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env")
    pip = [sys.executable, "-m", "pip", "--python", str(tmp_path / "env"), "--disable-pip-version-check"]
    install = [*pip, "install", "--quiet", "--no-compile"]  # most of what is installed is never imported
    subprocess.run([*install, wheel], check=True)
    scorespec = tmp_path / "env" / "bin" / "scorespec"
    demo = subprocess.run([scorespec, "demo"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ["boundary", "fscore", "0.8921", "0.8740", "0.9015"] in map(str.split, demo.stdout.splitlines())
    listed = subprocess.run([scorespec, "list", "suites"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert all(name in listed.stdout for name in load_catalog().names("suites"))

    # A plugin that is installed beside it is found.
    example = ROOT / "docs" / "examples" / "diarization"
    subprocess.run([*install, "--no-deps", example], check=True)
    inputs = [f"{name}={example}/example/{name}.rttm" for name in ("reference", "hypothesis")]
    command = [scorespec, "score", "der", *inputs, "--format", "csv"]
    scored = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "der,value,{},0.11392405063291139," in scored.stdout
