"""`scorespec.score` in several threads at once, from caches that are empty."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import scorespec
from marks import slow
from scorespec.core.events import Event, RunStarted
from scorespec.errors import InputError

DATA = Path(__file__).parents[2] / "data"
CORPUS = {"phones": DATA / "term_discovery" / "alpha.phn", "words": DATA / "term_discovery" / "alpha.wrd"}
THREADS = 8


def discovery(suite: str, submission: str, **options: Any) -> list[dict[str, Any]]:
    fragments = DATA / "term_discovery" / f"alpha.{submission}.class"
    asked = {"metrics": ["token", "ned"], "threads": 1, **options}
    return scorespec.score(suite, inputs={**CORPUS, "fragments": fragments}, **asked).table()


def entities() -> list[dict[str, Any]]:
    texts = {name: DATA / "named_entities" / f"noisy200.{name[:3]}.sgml" for name in ("reference", "hypothesis")}
    return scorespec.score("muc_ne", inputs=texts, threads=1).table()


def forget() -> None:
    """Empty every cache of the package, as in a process that has scored nothing yet."""
    for name, module in list(sys.modules.items()):
        if name.startswith("scorespec."):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """The results of calls that begin together, each in a thread of its own."""
    together = threading.Barrier(len(calls))

    def call(function: Callable[[], Any]) -> Any:
        together.wait(60)
        return function()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(call, calls))


@slow
def test_the_same_and_different_suites() -> None:
    calls = [
        partial(discovery, "zerospeech2017", "jitter"),
        partial(discovery, "zerospeech2015", "jitter", params={"n_folds": 0}, metrics=["token"]),
        partial(discovery, "zerospeech2017", "overlap", by=["file"]),
        entities,
    ]
    expected = [call() for call in calls]
    assert len({str(each) for each in expected}) == len(calls)
    forget()
    assert at_once(calls * 2) == expected * 2


@slow
def test_a_refused_run_does_not_disturb_the_others(tmp_path: Path) -> None:
    (tmp_path / "alpha.bad.class").write_text("Class 1\nalpha_sa1 0.5 x\n")

    def refused() -> str:
        fragments = tmp_path / "alpha.bad.class"
        with pytest.raises(InputError) as caught:
            scorespec.score("zerospeech2017", inputs={**CORPUS, "fragments": fragments})
        return caught.value.problems[0].code

    scored = partial(discovery, "zerospeech2017", "jitter")
    expected = scored()
    assert at_once([scored, refused] * (THREADS // 2)) == [expected, "not_a_number"] * (THREADS // 2)


def test_each_thread_is_told_of_its_own_run() -> None:
    def told(suite: str) -> set[tuple[str, int]]:
        found: set[tuple[str, int]] = set()

        def listen(event: Event) -> None:
            if isinstance(event, RunStarted):
                found.add((event.suite, threading.get_ident() - here))

        here = threading.get_ident()
        discovery(suite, "jitter", metrics=["token"], progress=listen)
        return found

    suites = ["zerospeech2017", "zerospeech2015"] * 2
    assert at_once([partial(told, each) for each in suites]) == [{(each, 0)} for each in suites]


@slow
def test_a_plugin_and_documents_of_the_users_own(tmp_path: Path) -> None:
    plugin = tmp_path / "mine"
    plugin.mkdir()
    for number in range(100):
        (plugin / f"part{number}.py").write_text(f"NUMBER = {number}\n")
    parts = "".join(f"from .part{number} import NUMBER as N{number}\n" for number in range(100))
    specs = 'from pathlib import Path\nSPECS = Path(__file__).with_name("mine.yaml")\n'
    (plugin / "__init__.py").write_text(parts + specs)
    short = 'short_token: {extends: token, about: x, where: "length < 4"}'
    (plugin / "mine.yaml").write_text(f"domain: term_discovery\nmetrics:\n  {short}\n")
    options = {"plugins": plugin, "metrics": ["short_token"], "output": tmp_path / "r.duckdb"}
    call = partial(discovery, "zerospeech2017", "jitter", **options)
    assert len({str(each) for each in at_once([call] * THREADS)}) == 1
    runs = scorespec.open_results(tmp_path / "r.duckdb").sql("SELECT count(DISTINCT id) AS n FROM runs").to_pylist()
    assert runs == [{"n": THREADS}]


def test_a_thread_leaves_the_signals_of_the_process_alone() -> None:
    before = signal.getsignal(signal.SIGINT)
    at_once([partial(discovery, "zerospeech2017", "jitter", metrics=["token"])] * 2)
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.set_wakeup_fd(-1) == -1
