"""The wheel has all it needs: it is built, installed beside what it requires only, and used away from the checkout."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterable
from email import message_from_bytes
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from marks import slow
from scorespec.catalog.lookup import load_catalog

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True)
    return next(folder.glob("scorespec-*.whl"))


@slow
def test_the_wheel_holds_every_document_and_template(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("specs", "sql"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.parent.name != "__pycache__":
                assert f"scorespec/{path.relative_to(ROOT).as_posix()}" in names
    for path in (ROOT / "engine" / "scorespec").rglob("*"):  # also examples, templates of pages, and the like
        if path.is_file() and path.parent.name != "__pycache__":
            assert path.relative_to(ROOT / "engine").as_posix() in names
    assert not [name for name in names if name.startswith(("tests/", "docs/")) or "__pycache__" in name]


def required_by(requirements: Iterable[str]) -> dict[str, Distribution]:
    """The distributions here that requirements name, and those that these require; without those of extras."""
    found: dict[str, Distribution] = {}
    asked = [*requirements]
    while asked:
        requirement = Requirement(asked.pop())
        name = canonicalize_name(requirement.name)
        if name not in found and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
            assert not requirement.extras, f"{requirement}: the distributions of an extra are not followed"
            found[name] = distribution(name)
            asked += found[name].requires or ()
    return found


def link(installed: Distribution, folder: Path) -> None:
    """Put the packages of a distribution into a folder, as links: they need not be downloaded and unpacked again."""
    for name in {file.parts[0] for file in installed.files or ()} - {"..", "__pycache__"}:
        if not (folder / name).exists():
            (folder / name).symlink_to(installed.locate_file(name))


# Prints the suites, the score of an installed plugin, and a score that needs rapidfuzz.
USED = """
import json, sys
import scorespec
from scorespec.catalog.lookup import load_catalog
from scorespec.examples import find_example

suites = load_catalog().names("suites")
folder = sys.argv[1]
mos = scorespec.score("mos", ratings=f"{folder}/ratings.csv", predictions=f"{folder}/answer.txt")
example = find_example("zerospeech2017")
(fragments, *_) = example.systems.values()
ned = scorespec.score("zerospeech2017", inputs={**example.inputs, "fragments": fragments}, metrics="ned")
print(json.dumps({"suites": suites, "mse": mos.value("mse", level="system"), "ned": ned.value("ned")}))
"""


@slow
def test_it_scores_beside_its_requirements_alone(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env")
    (packages,) = (tmp_path / "env").glob("lib/python*/site-packages")
    metadata = next(each for each in zipfile.ZipFile(wheel).namelist() if each.endswith(".dist-info/METADATA"))
    required = message_from_bytes(zipfile.ZipFile(wheel).read(metadata)).get_all("Requires-Dist")
    for each in required_by(required).values():
        link(each, packages)
    pip = [sys.executable, "-m", "pip", "--python", str(tmp_path / "env"), "--disable-pip-version-check"]
    example = ROOT / "docs" / "examples" / "mos"  # a plugin
    subprocess.run([*pip, "install", "--quiet", "--no-compile", "--no-deps", wheel, example], check=True)
    subprocess.run([*pip, "check"], check=True)  # every requirement is there, in a version that will do
    programs = tmp_path / "env" / "bin"
    demo = subprocess.run(
        [programs / "scorespec", "demo", "wer"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ["wer", "value", "0.3342", "0.2378", "0.3959"] in map(str.split, demo.stdout.splitlines())
    command = [programs / "python", "-c", USED, example / "example"]
    used = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    found = json.loads(used.stdout)
    assert {*load_catalog().names("suites")} <= {*found["suites"]}
    assert found["mse"] == pytest.approx(0.4375)
    assert found["ned"] == pytest.approx(0.2202289036392166)
