"""The signature of a run: the suites, the parameters, the documents with their SQL, and the version.

Runs that score the same metrics in the same way have equal signatures, whether they keep evidence or not. So a
parameter that only evidence reads is not in the signature; it is among the parameters of the run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from scorespec.catalog.model import Relation, Table
from scorespec.core.score_text import level_text
from scorespec.plan.parameters import show_value
from scorespec.plan.plan import Signature
from scorespec.plan.rendering.macros import macros_used
from scorespec.plan.rendering.templates import templates_in, with_imports
from scorespec.plan.request import DROP, Request
from scorespec.plan.resampling.interval_sql import REPLICATES, SEED, SWEPT_REPLICATES
from scorespec.plan.scored_suites import ScoredSuite
from scorespec.version import __version__

LONGEST_SHOWN = 80  # characters of a value in a signature
REPORT = "report"  # the key of a suite that changes no score


def signature_of(suites: Sequence[ScoredSuite]) -> Signature:
    """The signature of the scores of some suites."""
    names = "+".join(each.suite.name for each in suites)
    request = suites[0].request
    options = [f"on_bad_row:{DROP}"] if request.on_bad_row == DROP else []
    if request.confidence is not None:
        options += _resampling(suites, request, request.confidence)
    plugins = sorted({each for suite in suites for each in _plugins(suite)})
    documents = "|".join([f"spec:{_digest(suites)}", *plugins])
    settings = ([each for suite in suites for each in _settings(suite, brief)] for brief in (False, True))
    long, short = ("|".join([names, *options, *each, documents, f"scorespec:{__version__}"]) for each in settings)
    return Signature(long, short, documents, suites[0].names.catalog.plugins.versions)


def stable_json(data: Any) -> str:
    """Data as JSON with sorted keys: equal data give equal text."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, default=str, separators=(",", ":"))


def _resampling(suites: Sequence[ScoredSuite], request: Request, level: float) -> Iterator[str]:
    """The level of intervals, and how scores are resampled."""
    metrics = [(each.metrics, call.metric) for each in suites for call in each.calls]
    resamples = (each for compiled, metric in metrics for each in compiled.resamples(metric))
    blocks = dict.fromkeys(f"{each.method}({'/'.join(each.blocks)})" for each in resamples)
    swept = any(compiled.chooses_threshold(metric) for compiled, metric in metrics)
    of_thresholds = [f"replicates(threshold)={SWEPT_REPLICATES}"] if swept else []
    groups = f"groups={request.confidence_groups}"
    yield f"confidence:{level_text(level)}{'+percentile' if request.percentile else ''}"
    yield f"resample:{'+'.join([*blocks, f'replicates={REPLICATES}', *of_thresholds, groups, f'seed={SEED}'])}"


def _settings(suite: ScoredSuite, short: bool) -> Iterator[str]:
    blocks = suite.blocks if suite.request.confidence is not None else ()
    for name in sorted(suite.metrics.parameters([call.metric for call in suite.calls], blocks)):
        if name in suite.changed or not short:
            value = "+".join(map(show_value, suite.varied.get(name, (suite.values[name],))))
            yield f"{suite.full_name(name)}:{_brief(value)}"


def _digest(suites: Sequence[ScoredSuite]) -> str:
    """A hash of everything that is written about the suites."""
    pinned: set[str] = set()
    for suite in suites:
        written = [*templates_in("kinds/shared"), *_documents(suite)]
        pinned |= {*written, *(f"{each.name}: {each.sql}" for each in macros_used(suite.names, written))}
    return hashlib.sha256("\n".join(sorted(pinned)).encode()).hexdigest()[:8]


def _documents(suite: ScoredSuite) -> Iterator[str]:
    """The documents of a suite as JSON: of all its metrics, or of those that are asked for beside another suite's."""
    yield stable_json({key: each for key, each in suite.suite.origin.data.items() if key != REPORT})
    written: dict[tuple[str, str], list[str]] = suite.names.derived("documents as JSON")
    for section, name, documents in _pinned(suite):
        if (section, name) not in written:
            written[section, name] = [stable_json(each) for each in documents()]
        yield from written[section, name]


def _pinned(suite: ScoredSuite) -> Iterator[tuple[str, str, Callable[[], Iterable[Any]]]]:
    """The definitions that pin the scores of a suite: section, name, and a function that returns its documents."""
    for call in suite.pinned_calls:
        yield "metrics", call.metric.name, partial(suite.metrics.documents, call.metric)
    for found in suite.relations.upstream(suite.pinned_sources):
        yield "relations", found.name, partial(_with_templates, found)
    pinned = [call.metric for call in suite.pinned_calls]
    for parameter in suite.metrics.parameters(pinned, suite.pinned_sources).values():
        yield "parameters", parameter.name, partial(list[Any], [parameter.origin.data])


def _with_templates(found: Table | Relation) -> list[Any]:
    """The document of a table or relation, with the templates of a relation and the files that they import."""
    templates = found.templates.values() if isinstance(found, Relation) else ()
    return [[found.origin.data, *(text for template in templates for text in with_imports(template))]]


def _plugins(suite: ScoredSuite) -> Iterator[str]:
    """The plugins whose functions make relations of the suite, with their versions."""
    loaded = suite.names.catalog.plugins
    relations = suite.relations.upstream(suite.pinned_sources)
    inputs = [each.function_input for each in relations if isinstance(each, Relation) and each.function_input]
    for name in {loaded.origins.get(call.function.name) for each in inputs for call in each.calls}:
        if name is not None:
            yield f"{name}:{loaded.versions[name]}"


def _brief(value: str) -> str:
    """A value as the signature has it: a long one, such as a table of names, by its hash."""
    return value if len(value) <= LONGEST_SHOWN else f"#{hashlib.sha256(value.encode()).hexdigest()[:8]}"
