"""A metric on one screen: what it is, its equation, inputs, frequent parameters and sources, and a command to copy."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from scorespec.catalog.lookup import Catalog, Namespace
from scorespec.catalog.model import Metric, Suite, Table
from scorespec.core.groups import grouped
from scorespec.core.terminal import first_sentence, in_columns, wrapped
from scorespec.plan.compile import Request, compile_suite
from scorespec.plan.needs import needs_of
from scorespec.show.definitions import (
    definition_head,
    equation_lines,
    parameter_line,
    reading,
    reported,
    values_by_suite,
)
from scorespec.show.paragraphs import INDENT, block

Seen = tuple[Metric, Namespace]  # a metric as a suite, or the domain, sees it
WIDTH, HEIGHT = 80, 40  # of a screen


def first_screen(catalog: Catalog, seen: Sequence[Seen]) -> str:
    """The metric that most people want of those with one name, by the `order` of suites, and a line for each other."""
    suites = [suite_of(*each) for each in seen]
    (suite, (metric, names)), *others = sorted(zip(suites, seen, strict=True), key=lambda each: each[0].order)
    values = values_by_suite(metric, catalog.namespace(metric.domain) if metric.suite == names.suite else names)
    lines = [*definition_head(metric, names), *block("equation", equation_lines(metric))]
    meanings = names.components(metric, reported(metric, names)).items()
    readings = grouped((reading(meaning) or first_sentence(meaning.about), name) for name, meaning in meanings)
    lines += block("scores", (f"{', '.join(found)}: {read}".rstrip(": ") for read, found in readings.items()))
    tables, command = example_of(metric, suite, names := catalog.of_suite(suite))
    lines += [f"{INDENT}inputs: {', '.join(tables)}", *block("example", command)]
    lines += block("sources", (names.cited(cite, brief=True) for cite in metric.cites))
    rows = ((f"{suite.name}.{each.name}", each.differs or first_sentence(each.about)) for suite, (each, _) in others)
    lines += block("other suites define it differently", in_columns(rows))
    parameters = needs_of(names).parameters_of([metric]).values()
    shown = ((not each.sets, parameter_line(each, values, brief=True)) for each in parameters if each.often_set)
    often = [line for _, line in sorted(shown, key=lambda each: (each[0], len(each[1])))]
    last = (
        f"{INDENT}everything else, and the suite {suite.name}: scorespec show {suite.name} --full"
        if suite.name == metric.name
        else f"{INDENT}everything else: scorespec show {metric.full_name} --full"
    )
    for room in reversed(range(len(often) + 1)):
        left = ", ".join(each.partition(" ")[0] for each in often[room:])
        more = block("", [f"more parameters: {left}"] if left else [])
        text = "\n".join([*lines, *block(f"parameters in {', '.join(values)}", often[:room]), *more, last])
        if wrapped(text, WIDTH).count("\n") < HEIGHT:
            break
    return text


def suite_of(metric: Metric, names: Namespace) -> Suite:
    """The suite that most people take for a metric; the suite of the same name comes first."""
    found = map(names.catalog.suite, values_by_suite(metric, names))
    return min(found, key=lambda suite: (suite.name != metric.name, suite.order))


def example_of(metric: Metric, suite: Suite, names: Namespace) -> tuple[dict[str, Table], list[str]]:
    """What a run of a suite with this metric alone needs, and the lines of its command."""
    plan = compile_suite(names, suite, Request({}, metrics=(metric.name,)))
    read = {table.name: table for table in plan.tables_read()}
    choices = [[name] for name in plan.inputs.required] + [[*choice] for choice in suite.one_of]
    needed = {" or ".join(choice): read[name] for choice in choices for name in choice if name in read}
    formats = names.catalog.plugins.formats
    files = [f"{table.name}={table.name}{formats[table.formats[0]].suffixes[0]}" for table in needed.values()]
    command = " ".join(["scorespec score", suite.name, *files, "--metric", metric.name])
    lines = textwrap.wrap(command, WIDTH - 10, break_long_words=False, break_on_hyphens=False)
    return needed, [f"{line} \\" for line in lines[:-1]] + lines[-1:]
