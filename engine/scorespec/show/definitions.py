"""Definitions as text: meaning, place and parameters, what a definition depends on; the components of metrics."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from scorespec.catalog.json_schema import document_schema
from scorespec.catalog.lookup import Catalog, DefinitionKey, Namespace
from scorespec.catalog.model import (
    Column,
    ColumnMeaning,
    ComponentMeaning,
    Definition,
    Deprecable,
    Figure,
    Kind,
    Macro,
    Metric,
    Parameter,
    Publication,
    ReferencePoint,
    Relation,
    Suite,
    Table,
    Vary,
)
from scorespec.catalog.template_names import names_read
from scorespec.core.equations import plain
from scorespec.core.groups import grouped
from scorespec.core.terminal import first_sentence, in_columns
from scorespec.errors import Place
from scorespec.plan.compile import Request, compile_suite, split_suite
from scorespec.plan.needs import Needs, components_of, expanded, needs_of, templates_of, undefined_in_metric
from scorespec.plan.parameters import read_metric_text, show_value
from scorespec.plan.rendering.templates import HEADER, header
from scorespec.show.dependencies import dependencies, tree
from scorespec.show.paragraphs import INDENT, Lines, block, headed, singular

NO_LIMIT = 1e6  # an upper limit from here on only guards the arithmetic, and is not shown
LONGEST_LIST = 12  # a list with more entries is not shown whole next to other parameters
FIRST = 3  # the entries of such a list that are shown
REPORTED_BY_KIND = {"sweep": ("threshold",)}  # components that metrics of a kind do not name
REPEATED = {
    "error": "are an error",
    "keep": "are all counted",
    "merge": "are counted once if all columns are equal, otherwise an error",
}

# -- definitions -------------------------------------------------------------------------------------


def definition_head(definition: Definition, names: Namespace) -> Lines:
    """What a definition is, its place and its meaning."""
    domain = f", {definition.domain}" if definition.domain else ""
    seen = isinstance(definition, Metric) and names.suite not in ("", definition.suite)
    suite = f", as in the suite {names.suite}" if seen else ""
    what, place = singular(definition.origin.section), definition.origin.place(key=True)
    yield f"{what} {definition.full_name}{domain}{suite}  ({place})"
    if definition.about:
        yield f"{INDENT}{definition.about}"
    if isinstance(definition, Deprecable) and definition.deprecated:
        yield f"{INDENT}{definition.deprecated}"
    if isinstance(definition, Metric) and definition.depends_on_row_order:
        yield f"{INDENT}depends on the order of rows: the same rows in another order may have another score"
    for input_, sql in definition.only.items() if isinstance(definition, Metric) else ():
        yield f"{INDENT}only rows of {input_ or 'its inputs'} that meet: {sql}"


def definition_lines(definition: Definition, names: Namespace, brief: bool = False) -> Lines:
    """A definition: what it is, its place, its meaning, and what its section has besides.

    A ``brief`` suite has the parameters that people often set, and only the names of the others.
    """
    yield from definition_head(definition, names)
    match definition:
        case Relation():
            yield from _relation(definition, names)
        case Metric():
            yield from _metric(definition, names)
        case Suite():
            yield from _suite(definition, names, brief)
        case Parameter():
            yield from _parameter_definition(definition, names)
        case _:
            yield from _own_lines(definition)


def _own_lines(definition: Definition) -> Lines:
    """What a definition says that depends on no other definition."""
    match definition:
        case Table():
            yield from _table(definition)
        case ReferencePoint():
            made = ((name, relation or "(left out)") for name, relation in definition.inputs.items())
            yield from block("inputs, each with the relation that computes its rows", in_columns(made))
            yield from block("", [f"scored if {definition.input} is given"] if definition.input else [])
        case Publication():
            yield from block("", [definition.cited()])
            yield from block("BibTeX", definition.bibtex.splitlines())
        case Figure():
            yield from _figure(definition)
        case Kind():
            yield from _kind(definition)
        case Macro():
            yield from block(f"SQL of {definition.name}({', '.join(definition.params)})", definition.sql.splitlines())
        case ColumnMeaning() | ComponentMeaning():
            yield from block("", filter(None, [reading(definition)]))


def _written(definition: Definition) -> Lines:
    """The definition as its documents have it, those that it extends below."""
    origin = definition.origin
    while origin is not None:
        lines = _without_about(origin.source) if origin is definition.origin else origin.source.splitlines()
        yield from block(f"written at {origin.place(key=True)}", lines)
        origin = origin.parent  # type: ignore[assignment]


def _without_about(source: str) -> list[str]:
    """The YAML of a definition without its key ``about``, whose text is printed above it."""
    head, *lines = source.splitlines()
    depth = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    kept, within = [head], False
    for line in lines:
        if line.strip() and len(line) - len(line.lstrip()) == depth:
            within = line.strip().startswith("about:")
        if not within:
            kept.append(line)
    return kept


def reported(metric: Metric, names: Namespace) -> dict[str, Any]:
    """The components of a metric; those that it does not name belong to its kind."""
    return dict.fromkeys(
        [*components_of(expanded(metric, names.kinds[metric.kind])), *REPORTED_BY_KIND.get(metric.kind, ())]
    )


def _metric(metric: Metric, names: Namespace) -> Lines:
    yield from block("equation", equation_lines(metric))
    meanings = names.components(metric, reported(metric, names)).items()
    said = ((name, ": ".join(filter(None, [reading(each), first_sentence(each.about)]))) for name, each in meanings)
    yield from block("components", in_columns(said))
    yield from block("sources", map(names.cited, metric.cites))
    suites = suites_that_report(metric, names)
    pages = ((suite.name, f"docs/{suite.page}" if suite.page else "") for suite in suites)
    yield from block("reported by the suites", in_columns(pages))
    yield from _written(metric)
    needs = needs_of(names)
    sources, values = needs.relations_of(metric), values_by_suite(metric, names)
    yield from block("unknown names", map(str, undefined_in_metric(metric, sources, names)))
    yield from block("parameters", parameter_lines(names, sources, needs.parameters_of([metric]), values))
    key = key_of(metric)
    yield from block("depends on", tree(names.catalog, key, dependencies(key, names)))
    yield from block("which are defined in", _files(needs, sources))
    if direct := next((found for name in sources if (found := names.relation(name))), None):
        yield f"{INDENT}SQL of one step: scorespec show {direct.full_name}"
    if values:
        yield f"{INDENT}SQL of all steps: scorespec compile {next(iter(values))} --metric {metric.name}"
    yield from block("cases", _cases(metric, names))


def equation_lines(metric: Metric) -> Lines:
    """The published equations of a metric as plain text, with what their symbols are."""
    yield from map(plain, metric.equation)
    yield from (f"{INDENT}{line}" for line in in_columns((plain(name), said) for name, said in metric.symbols.items()))


def cases_of_metric(metric: Metric, catalog: Catalog) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """The cases of a metric, also those in documents of suites that share it, each with its place."""
    for document in catalog.documents:
        cases = (document.data.get("cases") or {}).get(metric.name, ())
        here = catalog.namespace(document.data.get("domain", ""), document.data.get("suite", ""))
        if cases and here.definition("metrics", metric.name) == metric:
            yield from ((document.place(("cases", metric.name, index)), case) for index, case in enumerate(cases))


def _cases(metric: Metric, names: Namespace) -> Lines:
    """Where the cases of a metric are, and what each is about."""
    for place, case in cases_of_metric(metric, names.catalog):
        yield f"{place.path}:{place.line}  {first_sentence(str(case.get('about', '')))}".rstrip()


def _files(needs: Needs, sources: Sequence[str]) -> Lines:
    """The documents that define some relations and those that they depend on."""
    files = grouped((each.origin.place().path, each.name) for each in nearest_first(needs, sources))
    return (f"{path}: {', '.join(found)}" for path, found in files.items())


def _relation(relation: Relation, names: Namespace) -> Lines:
    yield from block("", [f"symbol: {relation.symbol}"] if relation.symbol else [])
    yield from block("needs", in_columns((need, _about(names, need)) for need in relation.needs))
    yield from block("columns", _table_of(relation.columns))
    yield from block("added up over partitions", relation.sums)
    yield from block("parameters", (parameter_line(each, values_by_suite(relation, names)) for each in relation.params))
    for heading, counted in (("ends the run where", relation.errors), ("warns where", relation.warnings)):
        yield from block(heading, (f"{each.sql}: {each.says}" for each in counted))
    if relation.function_input:
        functions = ", then ".join(call.function.name for call in relation.function_input.calls)
        read = {setting: name for call in relation.function_input.calls for setting, name in call.arguments.items()}
        settings = [setting if setting == name else f"{setting} = {name}" for setting, name in read.items()]
        heading = f"rows computed by the function {functions}" + (f", with {', '.join(settings)}" if settings else "")
        yield from block(f"{heading}, from the rows of", relation.function_input.template.text.splitlines())
    name, text = relation.template.name, relation.template.text
    yield from block("how it is computed", header(text).splitlines())
    yield from block(f"SQL ({name})" if name else "SQL", HEADER.sub("", text).strip().splitlines())


def _about(names: Namespace, name: str) -> str:
    found = names.table_or_relation(name)
    return first_sentence(found.about) if found else ""


def _table(table: Table) -> Lines:
    yield f"{INDENT}formats: {', '.join(table.formats)}"
    yield f"{INDENT}rows with equal {', '.join(table.key)}: {REPEATED[table.duplicates]}"
    if table.describes:
        described = " or ".join(filter(None, (table.describes, table.parts)))
        yield f"{INDENT}describes: {described}; --by may name any other column"
    yield from block("columns", _table_of(table.columns))
    forms = ((name, " or ".join(written)) for name, written in table.written_as.items())
    yield from block("in a file without the column", in_columns(forms))
    yield from block("refuses a row", (check.says for check in table.checks if not check.droppable))
    values = ["a value is missing or illegal"] if table.droppable else []
    drops = [*values, *(check.says for check in table.checks if check.droppable)]
    yield from block("refuses a row, or drops it with --on-bad-row drop", drops)


def _table_of(columns: Sequence[Column]) -> list[str]:
    return in_columns((column.name, column_text(column)) for column in columns)


def column_text(column: Column) -> str:
    """The type, unit and meaning of a column."""
    unit = f"[{column.unit}]" if column.unit else ""
    return " ".join(filter(None, [column.type, unit, column.about]))


def _suite(suite: Suite, names: Namespace, brief: bool) -> Lines:
    plan = compile_suite(names, suite, Request({}))  # finds faults of the suite, with their places
    yield from block("sources", map(names.cited, suite.cites))
    yield from block("agrees with (differences: agreement.yaml of the suite)", names.catalog.claims(suite))
    yield from block("", [f"page: docs/{suite.page}"] if suite.page else [])
    yield from block("", [f"based on {suite.based_on}"] if suite.based_on else [])
    inputs = ((name, " (optional)" if name in suite.optional else "") for name in (*suite.inputs, *suite.optional))
    yield from block("inputs", in_columns((name + optional, _about(names, name)) for name, optional in inputs))
    yield from block("", (f"exactly one of: {', '.join(choice)}" for choice in suite.one_of))
    yield from block("metrics", _metrics(suite.metrics, names))
    only_with = suite.only_with.items()
    yield from block(
        "", (f"{metric} is scored only if {name} is set, or --metric names it" for metric, name in only_with)
    )
    yield from block("parameters from the scores of another run (--from)", in_columns(suite.calibration.items()))
    layouts = ((f"--format {name}", layout.about) for name, layout in suite.layouts.items())
    yield from block("layouts of the scores", in_columns(layouts))
    yield from block("metrics of the corpus (scorespec describe)", _metrics(suite.describe, names))
    if suite.resample:
        yield from block("blocks of confidence intervals", [", else ".join(suite.resample.blocks)])
    figures = [each for name in suite.report if (each := names.figure(name))]
    yield from block(
        "figures of reports (scorespec report, scorespec plot)", in_columns((f.name, f.title) for f in figures)
    )
    points = (
        (name, each.about + (f" Only if the input {each.input} is given." if each.input else ""))
        for name, each in suite.reference_points.items()
    )
    yield from block("reference points (scorespec reference-points)", in_columns(points))
    yield from block("evidence", in_columns((name, _about(names, kept)) for name, kept in suite.keep.items()))
    needs = needs_of(names)
    own = [text for other, text in map(split_suite, suite.metrics) if other in ("", suite.name)]
    called = [needs.call(text).metric for text in own]
    sources = [name for metric in called for name in needs.relations_of(metric)]
    read, values = needs.parameters_of(called), {suite.name: {**plan.parameters, **suite.vary}}
    if brief:
        often = [each for each in read.values() if each.often_set]
        others = ", ".join(name for name, each in read.items() if not each.often_set)
        yield from block("parameters that people often set", (parameter_line(each, values) for each in often))
        yield from block("", [f"other parameters: {others} (scorespec show {suite.name} --full)"] if others else [])
    else:
        yield from block("parameters", parameter_lines(names, sources, read, values))
        yield f"{INDENT}signature: {plan.identity.long}"


def _metrics(texts: Sequence[str], names: Namespace) -> list[str]:
    """Metric strings, each with what its metric is."""
    return in_columns((text, first_sentence(names.metric(read_metric_text(text)[0]).about)) for text in texts)


def _figure(figure: Figure) -> Lines:
    yield f"{INDENT}{figure.kind}: {figure.title}"
    axes = {"x": figure.x, "y": figure.y, "value": figure.value}
    shown = ((name, " ".join(filter(None, [a.name, a.unit, a.scale]))) for name, a in axes.items() if a)
    yield from block("axes", in_columns(shown))
    yield from block("", [f"for {figure.runs} runs"] if figure.runs else [])
    yield from block("reads the tables of results", figure.needs)
    yield from block(f"SQL ({figure.sql.name})", figure.sql.text.splitlines())


def _kind(kind: Kind) -> Lines:
    yield from block("", [f"a short form of {kind.short_for}"] if kind.short_for else [])
    required = kind.schema.get("required", ())
    rows = ((key + " (required)" * (key in required), meaning) for key, meaning in keys_of(kind.schema).items())
    yield from block("keys", in_columns(rows))


def keys_of(schema: Mapping[str, Any]) -> dict[str, str]:
    """The keys that a schema has, with their meanings; kinds share the meanings of some keys."""
    shared = document_schema()["$defs"]
    keys = schema["properties"].items()
    referred = {key: shared.get(str(each.get("$ref", "")).rpartition("/")[2], {}) for key, each in keys}
    return {key: (referred[key] | each).get("description", "") for key, each in keys}


def keys_of_section(section: str) -> dict[str, str]:
    """The keys of the definitions of a section of documents, with their meanings; none if its values have no keys."""
    schema = document_schema()["properties"].get(section, {})
    while isinstance(schema, dict) and schema and "properties" not in schema:
        schema = schema.get("additionalProperties") or schema.get("items") or (schema.get("oneOf") or [{}])[-1]
    return keys_of(schema) if isinstance(schema, dict) and schema else {}


def _parameter_definition(parameter: Parameter, names: Namespace) -> Lines:
    catalog = names.catalog
    yield f"{INDENT}default: {value_text(parameter, parameter.default)}"
    yield from block("", [f"type: {parameter.type}" + (f", {limits}" if (limits := limits_text(parameter)) else "")])
    sets = ((value, ", ".join(f"{n} = {w}" for n, w in others.items())) for value, others in parameter.sets.items())
    yield from block("sets, unless these parameters are given beside it", in_columns(sets))
    for name in catalog.suites(parameter.domain):
        suite = catalog.suite(name)
        if parameter.name in suite.params:
            yield f"{INDENT}suite {name}: {parameter.name} = {value_text(parameter, suite.params[parameter.name])}"
        if parameter.name in suite.vary:
            values = ", ".join(map(show_value, suite.vary[parameter.name].values))
            yield f"{INDENT}suite {name} has a slice for each of: {values}"
    here = [
        key for section in ("relations", "metrics") for key in catalog.keys(section) if key.domain == parameter.domain
    ]
    definitions = [(key, catalog.definition(key)) for key in here]
    for key, each in definitions:
        if isinstance(each, Metric) and parameter.name in each.params:
            yield f"{INDENT}metric {key}: {parameter.name} = {value_text(parameter, each.params[parameter.name])}"
    yield from block("read by", (str(key) for key, each in definitions if parameter.name in _parameters_in(each)))


def _parameters_in(definition: Definition) -> list[str]:
    """The parameters that a relation reads; of a metric, the names in its formulas."""
    if isinstance(definition, Metric):
        return [name for _, template in templates_of(definition) for name in names_read(template)]
    return [each.name for each in definition.params] if isinstance(definition, Relation) else []


# -- parameters --------------------------------------------------------------------------------------


def key_of(definition: Metric | Relation) -> DefinitionKey:
    """The key under which the catalog has a definition."""
    return DefinitionKey(definition.origin.section, definition.domain, definition.suite, definition.name)


def suites_that_report(metric: Metric, names: Namespace) -> list[Suite]:
    """The suites that have a metric in their list of metrics."""
    suites = map(names.catalog.suite, names.catalog.suites(metric.domain))
    return [
        suite
        for suite in suites
        if metric.name in suite.metrics and names.catalog.of_suite(suite).key("metrics", metric.name) == key_of(metric)
    ]


def values_by_suite(definition: Metric | Relation, names: Namespace) -> Mapping[str, Mapping[str, Any]]:
    """The values that each suite and a metric of it set or vary, by the suite.

    Seen from a suite, that is this suite alone; seen from a domain, the suites that report the metric or, if there are
    none, all that can use the definition.
    """
    catalog, own = names.catalog, definition.params if isinstance(definition, Metric) else {}
    if names.suite:
        suites = [catalog.suite(names.suite)]
    else:
        key = key_of(definition)
        every = map(catalog.suite, catalog.suites(definition.domain))
        suites = suites_that_report(definition, names) if isinstance(definition, Metric) else []
        suites = suites or [each for each in every if catalog.of_suite(each).key(key.section, key.name) == key]
    return {suite.name: {**suite.params, **suite.vary, **own} for suite in suites}


def parameter_lines(
    names: Namespace,
    sources: Sequence[str],
    read: Mapping[str, Parameter],
    values: Mapping[str, Mapping[str, Any]],
) -> Lines:
    """The parameters that some metrics ``read``: those of formulas, then those of relations, the nearest first.

    Those that make the folds and slices of suites come last. ``values`` are the values that each suite sets.
    """
    last = _of_folds_and_slices(names)
    shown: set[str] = set()
    delayed: dict[str, Parameter] = {}
    needs = needs_of(names)
    in_relations = needs.parameters(sources)
    if formulas := [each for name, each in read.items() if name not in in_relations]:
        yield "in formulas"
        yield from (f"{INDENT}{parameter_line(each, values)}" for each in formulas)
    for relation in nearest_first(needs, sources):
        new = [parameter for parameter in relation.params if parameter.name not in shown]
        shown |= {parameter.name for parameter in new}
        delayed |= {each.name: each for each in new if each.name in last}
        lines = [line for each in new if each.name not in last for line in _in_each_suite(each, names, values)]
        yield from [f"in the step {relation.name}", *lines] if lines else ()
    if setting := [each for each in read.values() if each.sets]:
        yield "setting several of these"
        yield from (f"{INDENT}{parameter_line(each, values)}" for each in setting)
    if delayed:
        yield "for folds and slices"
        yield from (f"{INDENT}{parameter_line(each, values)}" for each in delayed.values())


def _in_each_suite(parameter: Parameter, names: Namespace, values: Mapping[str, Mapping[str, Any]]) -> Lines:
    """The line of a parameter, and a line for each suite in which a parameter of this name has another meaning."""
    yield f"{INDENT}{parameter_line(parameter, values)}"
    for suite, own in values.items():
        other = names.catalog.of_suite(names.catalog.suite(suite)).parameter(parameter.name)
        if other and other.about != parameter.about:
            yield f"{INDENT}in {suite}: {parameter_line(other, {suite: own})}"


def _of_folds_and_slices(names: Namespace) -> set[str]:
    """The parameters that make folds, or slices, in some suite of the domain."""
    suites = [names.catalog.suite(name) for name in names.catalog.suites(names.domain)]
    found = {suite.folds.count for suite in suites if suite.folds}
    found |= {name for suite in suites for parameter, vary in suite.vary.items() for name in (parameter, vary.param)}
    return {name for name in found if name}


def nearest_first(needs: Needs, sources: Iterable[str]) -> Iterator[Relation]:
    """Some relations and those that they depend on, the nearest first."""
    waiting, seen = list(sources), set[str]()
    for name in waiting:
        found = needs.find(name)
        if isinstance(found, Relation) and name not in seen:
            seen.add(name)
            waiting += found.needs
            yield found


def parameter_line(parameter: Parameter, values: Mapping[str, Mapping[str, Any]], brief: bool = False) -> str:
    """``edge_time = 0.03 s: what it means``, with its limits; with the suites, where they give it different values.

    Choices are listed with their meanings. The ``brief`` form has no limits.
    """
    limits = "" if brief else limits_text(parameter)
    about = parameter.about if parameter.one_of else first_sentence(parameter.about)
    return f"{parameter.name} = {_values_text(parameter, values)}: {about}" + (f" ({limits})" if limits else "")


def _values_text(parameter: Parameter, values: Mapping[str, Mapping[str, Any]]) -> str:
    suites: dict[str, list[str]] = {}
    texts: dict[str, str] = {}  # the short text of each value, by its whole text
    for suite, each in values.items():
        value = each.get(parameter.name, parameter.default)
        whole = value_text(parameter, value)
        suites.setdefault(whole, []).append(suite)
        texts[whole] = _short_text(parameter, value)
    if len(suites) > 1:
        return ", ".join(f"{texts[whole]} ({', '.join(names)})" for whole, names in suites.items())
    return next(iter(texts.values()), _short_text(parameter, parameter.default))


def _short_text(parameter: Parameter, value: Any) -> str:
    """A value of a parameter; of a long list, the first entries, and where all of them are shown."""
    if isinstance(value, list | tuple) and len(value) > LONGEST_LIST:
        first = ", ".join(map(show_value, value[:FIRST]))
        return f"[{first}, …] ({len(value)} entries, see `scorespec show {parameter.name}`)"
    return value_text(parameter, value)


def value_text(parameter: Parameter, value: Any) -> str:
    """A value of a parameter, with its unit; all values of a parameter that a suite varies."""
    if isinstance(value, Vary):
        return ", ".join(value_text(parameter, each) for each in value.values) + ", each in a slice"
    shown = show_value(value)
    return f"{shown} {parameter.unit}" if parameter.unit else shown


def limits_text(parameter: Parameter) -> str:
    """The values that a parameter can have, without the limits that only guard the arithmetic."""
    if parameter.one_of:
        return f"one of {', '.join(map(show_value, parameter.one_of))}"
    limits = {"at least": parameter.at_least, "above": parameter.above}
    limits |= {"at most": parameter.at_most, "below": parameter.below}
    if parameter.at_least is not None and parameter.at_most is not None and parameter.at_most < NO_LIMIT:
        return f"{parameter.at_least:g} to {parameter.at_most:g}"
    said = {words: limit for words, limit in limits.items() if limit is not None and abs(limit) < NO_LIMIT}
    return " and ".join(f"{words} {limit:g}" for words, limit in said.items())


_A_STATISTIC = re.compile(r'"(\w+)"')  # the formula of a component that only reports a statistic
Owners = Iterable[tuple[DefinitionKey, Namespace]]


def component_blocks(declared: Owners, metrics: Owners, name: str) -> Iterator[str]:
    """A block for each meaning of a component, with the metrics that report it and their formulas.

    ``declared`` are the definitions of the name in documents of domains. A metric may give it another meaning.
    """
    groups: dict[tuple[str, ...], tuple[list[str], list[tuple[str, str]]]] = {}
    for key, names in declared:
        meaning = names.built(key)
        if isinstance(meaning, ComponentMeaning):
            places, _ = groups.setdefault(_identity(meaning), ([], []))
            places.append(f"({meaning.origin.place(key=True)})")
    for metric, names in _metrics_of(metrics):
        body = expanded(metric, names.kinds[metric.kind])
        components, statistics = components_of(body), body.get("statistics", {})
        if name in components:
            formula = str(components[name])
            counted = _A_STATISTIC.fullmatch(formula)
            formula = str(statistics.get(counted[1], formula)) if counted else formula
            _, reported = groups.setdefault(_identity(names.component(metric, name)), ([], []))
            place = metric.origin.place("of_slice" if name in body.get("of_slice", {}) else "components", name)
            line = (metric.full_name, f"{formula}  ({place})")
            if line not in reported:
                reported.append(line)
    for (domain, about, read), (places, reported) in groups.items():
        said = [line for line in (about, read) if line]
        lines = [line.removeprefix("  ") for line in block("reported by the metrics", in_columns(reported))]
        yield headed("  ".join([f"component {name}, {domain}", *places]), [*said, *lines])


def statistic_blocks(metrics: Owners, name: str) -> Iterator[str]:
    """The metrics that have a statistic of this name, and no component."""
    rows = []
    for metric, names in _metrics_of(metrics):
        body = expanded(metric, names.kinds[metric.kind])
        if name in body.get("statistics", {}) and name not in components_of(body):
            place = metric.origin.place("statistics", name)
            rows.append((metric.full_name, f"{body['statistics'][name]}  ({place})"))
    if rows:
        yield headed(f"statistic {name}, of the metrics", in_columns(dict.fromkeys(rows)))


def _metrics_of(owners: Owners) -> Iterator[tuple[Metric, Namespace]]:
    for key, names in owners:
        if key.section == "metrics" and isinstance(metric := names.built(key), Metric):
            yield metric, names


def _identity(meaning: ComponentMeaning) -> tuple[str, str, str]:
    return meaning.domain, meaning.about, reading(meaning)


def reading(meaning: ColumnMeaning | ComponentMeaning) -> str:
    """How a value is read: ``0 to 1, higher is better``, or ``unit: s``."""
    if isinstance(meaning, ColumnMeaning):
        return f"unit: {meaning.unit}" if meaning.unit else ""
    said = [meaning.unit] if meaning.unit else []
    if meaning.range and meaning.range != (None, None):
        low, high = (None if bound is None else f"{bound:g}" for bound in meaning.range)
        said.append(f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}")
    if meaning.better in ("higher", "lower"):
        said.append(f"{meaning.better} is better")
    said += ["fixed by the reference"] if meaning.of_gold else []
    return ", ".join(said)
