"""Verifies documents: their schema, their references, their SQL, and the cases of their metrics."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from scorespec.catalog.build import read_as
from scorespec.catalog.documents import DOCUMENT_SUFFIXES, Document, document_files, read_document
from scorespec.catalog.json_schema import DOCUMENT
from scorespec.catalog.lookup import Catalog, DefinitionKey, Namespace, load_catalog
from scorespec.catalog.model import Case, Definition, Macro, Metric, Relation, Suite, Table
from scorespec.check.additive import additive_faults, bare_tables, expression_faults, fault_of_column, hint_for_error
from scorespec.check.binding import TRIAL, Binder
from scorespec.check.case_proofs import (
    CaseRuns,
    differences,
    differences_of_partitions,
    differences_of_printed,
    differences_of_slices,
    number,
)
from scorespec.check.notices import notices
from scorespec.errors import SHOWN_PROBLEMS, Place, ScorespecError, SpecError, nearest
from scorespec.plan.compile import Request, compile_suite, made_inputs, relations_plan
from scorespec.plan.needs import components_of, expanded, namespaces_of, needs_of, resolves, undefined_in_metric
from scorespec.plan.plan import Plan, ResultQuery, Signature, Step
from scorespec.plan.relations import Relations
from scorespec.plan.rendering.macros import macros_used
from scorespec.plan.rendering.templates import quoted
from scorespec.plan.scopes import Scopes
from scorespec.results.layouts import check_layouts
from scorespec.run.inputs.loading import arrow_type
from scorespec.run.session import error_context, open_session

HINTS = {  # what to do with a file that is not a document, by its suffix
    **dict.fromkeys((".sql", ".jinja"), "a template is checked with the document that names it"),
    **dict.fromkeys(DOCUMENT_SUFFIXES, "leave this file out"),
}
# Sections whose definitions can have faults of SQL or of names, in the order in which these are listed.
VERIFIED = ("kinds", "macros", "parameters", "tables", "relations", "metrics", "reference_points", "figures", "suites")


Scores = Mapping[str, float | None]  # by component


@dataclass(frozen=True)
class Report:
    """The numbers of documents, metrics and cases that were verified, and what deserves a look."""

    documents: int
    metrics: int
    cases: int
    notices: tuple[str, ...] = ()


def verify(*paths: Path, specs: Iterable[str | Path] = (), plugins: Iterable[str | Path] = ()) -> Report:
    """Verify the documents at ``paths``, or all that ship and those of ``plugins``.

    The documents at ``specs`` can be referred to, and are not verified. Raises SpecError that lists every fault with
    file, line and column, or that names the files that are not documents.
    """
    catalog, documents = _documents(paths, specs, plugins)
    with Binder() as binder, CaseRuns(TRIAL) as runs:
        return verify_documents(catalog, documents, binder, runs)


def _documents(
    paths: Sequence[Path], specs: Iterable[str | Path], plugins: Iterable[str | Path]
) -> tuple[Catalog, list[Document]]:
    """The documents at ``paths``, or all that ship and those of ``plugins``, and a catalog with these and ``specs``."""
    if others := list(filter(None, map(other_file, paths))):
        raise SpecError("\n".join(others))
    catalog = load_catalog(*specs, *paths, plugins=plugins)
    given = {each.resolve() for path in paths for each in document_files(path)}
    return catalog, [document for document in catalog.documents if not paths or document.path in given]


@dataclass(frozen=True)
class TaggedCase:
    """A case of a published place, with the scores that it expects or that are printed there."""

    metric: str
    names: Namespace  # in which the case holds
    case: Case
    place: Place
    scores: Scores


def tagged_cases(
    text: str, *paths: Path, specs: Iterable[str | Path] = (), plugins: Iterable[str | Path] = ()
) -> list[TaggedCase]:
    """The cases with a tag that contains a text as whole words; of the documents that `verify` verifies.

    Raises SpecError that lists every fault of these cases.
    """
    catalog, documents = _documents(paths, specs, plugins)
    catalog.validate(documents)
    wanted = re.compile(rf"\b{re.escape(text)}(?!\w)", re.IGNORECASE)
    tagged: list[TaggedCase] = []
    faults: list[str] = []
    with CaseRuns(TRIAL) as runs:
        for document, metric, case, place in ((each, *found) for each in documents for found in cases_of(each)):
            if wanted.search("\n".join(case.tags)):
                names, failed = _namespace_of_case(catalog, document, metric, case, place, runs)
                faults += (f"{place}: {metric}: {fault}" for fault in failed)
                if names:
                    found, expected = scores_of_case(names, metric, case, place, runs)
                    scores = {name: found[name] for name in {**expected, **case.printed}}
                    tagged.append(TaggedCase(metric, names, case, place, scores))
    if faults:
        raise SpecError("\n".join(_shown(faults)))
    return tagged


def other_file(path: Path) -> str | None:
    """What is said of a file that is not a document; None for documents, also faulty ones, and for folders."""
    if [*document_files(path)] != [path] or not os.path.exists(path):
        return None
    try:
        keys = read_document(path, str(path), cases=False).data.keys()
    except SpecError:
        if path.suffix in DOCUMENT_SUFFIXES:
            return None
        keys = {}.keys()
    if keys & DOCUMENT.keys() or (not keys and path.suffix in DOCUMENT_SUFFIXES):
        return None
    hint = HINTS.get(path.suffix, "to check an input, use `scorespec validate`")
    return f"{path}: not a document, which is YAML with keys such as domain and metrics; {hint}"


def verify_documents(catalog: Catalog, documents: Sequence[Document], binder: Binder, runs: CaseRuns) -> Report:
    """Verify some documents of a catalog. Raises SpecError that lists every fault with file, line and column.

    Calls with the same ``binder`` and ``runs`` try once what their documents have in common.
    """
    catalog.validate(documents)
    verified = set(map(id, documents))  # two documents of equal names may be different files
    written = [key for key, entry in catalog.entries.items() if id(entry.document) in verified]
    keys = sorted((key for key in written if key.section in VERIFIED), key=lambda key: VERIFIED.index(key.section))
    faults = [fault for key in keys for fault in _definition_faults(catalog, key, binder)]
    faults = faults or [fault for document in documents for fault in _case_faults(catalog, document, runs)]
    if faults:
        raise SpecError("\n".join(_shown(faults)))
    metrics = sum(1 for key in keys if key.section == "metrics")
    users = verified & set(map(id, catalog.user_documents))
    own = [key for key in written if id(catalog.entries[key].document) in users]
    cases = [case for document in documents for each in (document.data.get("cases") or {}).values() for case in each]
    return Report(len(documents), metrics, len(cases), tuple(notices(catalog, own, tried_metrics(catalog))))


def tried_metrics(catalog: Catalog) -> set[DefinitionKey | None]:
    """The metrics that have a case."""
    return {
        names.key("metrics", metric)
        for document in catalog.documents
        for metric in document.data.get("cases") or ()
        for names in _namespaces_of_cases(catalog, document, metric)
    }


def _shown(faults: Iterable[str]) -> list[str]:
    """The first different faults; a fault of a relation occurs again in every metric that reads it."""
    different = list(dict.fromkeys(faults))
    more = len(different) - SHOWN_PROBLEMS
    return different[:SHOWN_PROBLEMS] + ([f"and {more:,} more faults"] if more > 0 else [])


def _definition_faults(catalog: Catalog, key: DefinitionKey, binder: Binder) -> list[str]:
    """The faults of one definition: in its references, its expressions, or its SQL over empty tables.

    A definition of a whole domain has no fault if it has none in some suite of the domain.
    """
    first: list[str] = []
    for names in namespaces_of(catalog, key):
        if not (faults := _faults_in(names, key, binder)):
            return []
        first = first or faults
    return first


def _faults_in(names: Namespace, key: DefinitionKey, binder: Binder) -> list[str]:
    """The faults of a definition as one namespace sees it."""
    definition = None
    try:
        definition = names.definition(key.section, key.name)
        if isinstance(definition, Metric | Relation | Table) and (faults := expression_faults(definition, names)):
            return faults
        if isinstance(definition, Metric) and (faults := _faults_in_names(definition, names)):
            return faults
        if isinstance(definition, Metric) and (faults := additive_faults(definition, names)):
            return faults
        if isinstance(definition, Suite):
            names = names.catalog.of_suite(definition)
        _bind(names, definition, binder)
    except ScorespecError as error:
        if isinstance(definition, Metric) and (fault := fault_of_column(error, definition, names)):
            return [fault]
        text = str(error)
        if isinstance(error, SpecError) and (hint := hint_for_error(error, names)):
            text = f"{text}\n{hint}"
        place = str(names.catalog.origin(key))
        return [text if isinstance(error, SpecError) and error.place else f"{place}: {text}"]
    return []


def _bind(names: Namespace, definition: Definition | None, binder: Binder) -> None:
    """Bind the SQL of a definition over empty tables. Raises an error at fault."""
    match definition:
        case Suite():
            _bind_suite(names, definition, binder)
        case Metric():
            binder.bind(compile_suite(names, trial_suite(names, definition.name), Request({})))
        case Relation():
            _bind_relation(names, definition, binder)
        case Table():
            _bind_conditions(names, definition, binder)
        case Macro():
            binder.bind_macros(macros_used(names, [f"{definition.name}("]))


def _bind_suite(names: Namespace, suite: Suite, binder: Binder) -> None:
    check_layouts(suite, names)
    binder.bind(plan := compile_suite(names, suite, Request({})))
    scored = {score for score in suite.primary if score.partition(".")[0] in plan.metrics}
    if lacking := sorted(scored - {f"{each.metric}.{each.component}" for each in plan.meanings.reported}):
        raise SpecError(f"no component {', '.join(lacking)}", suite.origin.place("primary"))
    if suite.describe:
        binder.bind(compile_suite(names, suite, Request({}, describe=True)))
    _bind_reference_points(names, suite, binder)


def _faults_in_names(metric: Metric, names: Namespace) -> list[str]:
    """The faults of unknown names in the templates of a metric, and in its `symbols`."""
    sources = needs_of(names).relations_of(metric)
    return [str(each) for each in (*undefined_in_metric(metric, sources, names), *_unknown_in_symbols(metric, names))]


def _unknown_in_symbols(metric: Metric, names: Namespace) -> Iterator[SpecError]:
    """A fault for each symbol that is in no equation, and for each name in backticks that nothing has."""
    body = expanded(metric, names.kinds[metric.kind])
    known = {*names.names("parameters", "relations", "tables", "metrics", "columns"), *components_of(body)}
    known |= {*body.get("statistics", ()), *body.get("given", {}).get("values", ())}
    for symbol, about in metric.symbols.items():
        place = metric.origin.place("symbols", symbol)
        if not any(symbol in equation for equation in metric.equation):
            yield SpecError(f"the equation has no symbol {symbol!r}", place)
        for name in re.findall("`([^`]*)`", about):
            if name not in known:
                yield SpecError(f"unknown name {name!r}; {nearest(name, known)}", place)


def trial_suite(names: Namespace, metric: str, name: str = "trial") -> Suite:
    """A suite of one metric, in which every table of the namespace is an optional input."""
    tables = tuple(names.names("tables"))
    first = names.table(tables[0]) if tables else None
    assert first, "a domain has tables"
    return Suite(
        name=name,
        domain=names.domain,
        suite="",
        about="",
        origin=first.origin,
        inputs=(),
        optional=tables,
        metrics=(metric,),
    )


def _bind_conditions(names: Namespace, table: Table, binder: Binder) -> None:
    """Try the conditions of a table that refer to other tables, over empty tables."""
    needed = dict.fromkeys(need for check in table.checks for need in check.needs)
    if needed:
        binder.bind(_plan_of((table, *filter(None, map(names.table, needed))), (), "SELECT 1", names))


def _bind_relation(names: Namespace, relation: Relation, binder: Binder) -> None:
    """Run a relation over empty tables, and compare its declared columns with those of its SQL."""
    columns, step = _over_nothing(names, relation.name, binder)
    _over_nothing(names, relation.name, binder, broken_down=True)
    if step and (faults := bare_tables(step, names)):
        raise SpecError("; ".join(faults), relation.origin.place("sql"))
    declared = relation.column_names
    if declared and set(declared) != set(columns):
        missing, other = [c for c in declared if c not in columns], [c for c in columns if c not in declared]
        said = f"its SQL has the columns {', '.join(columns)}; declared but missing: {', '.join(missing) or 'none'}"
        raise SpecError(f"{said}; not declared: {', '.join(other) or 'none'}", relation.origin.place("columns"))


def _bind_reference_points(names: Namespace, suite: Suite, binder: Binder) -> None:
    """Run the relations of reference points over empty tables, and compare their columns with those of the inputs."""
    if suite.reference_points:
        binder.bind(relations_plan(names, suite, Request({})))
    for point, made, relation in made_inputs(suite):
        columns, _ = _over_nothing(names, relation, binder)
        table = names.table(made)
        for column in table.columns if table else ():
            if not column.nullable and column.name not in columns:
                said = f"relation {relation!r} lacks the column {column.name!r} of the input {made!r}"
                raise SpecError(said, suite.reference_points[point].origin.place("inputs", made))


def _over_nothing(
    names: Namespace, relation: str, binder: Binder, broken_down: bool = False
) -> tuple[Mapping[str, str], Step | None]:
    """The columns of a relation over empty tables, with their types, and its step: see :func:`plan_of_relation`."""
    plan, step = plan_of_relation(names, relation, broken_down)
    return binder.bind(plan), step


def plan_of_relation(names: Namespace, relation: str, broken_down: bool = False) -> tuple[Plan, Step | None]:
    """The plan that computes a relation, and its step; None if the relation only names another table.

    With ``broken_down``, it has slices by every column of inputs that it can have slices by. Of inputs of which a run
    has one, the first is given.
    """
    suites = [names.catalog.suite(each) for each in names.catalog.suites(names.domain)]
    others = frozenset(name for suite in suites for choice in suite.one_of for name in choice[1:] if broken_down)
    needs = needs_of(names)
    relations = Relations(needs, Scopes(needs, [relation], others))
    values = {name: p.default for name, p in needs.parameters([relation]).items()}
    tables = tuple(found for found in needs.upstream([relation]) if isinstance(found, Table))
    columns = dict.fromkeys(each.name for table in tables for each in table.columns if not each.type.endswith("]"))
    scope = tuple(each for each in columns if broken_down and relations.scopes.flows(relation, each))
    physical = relations.reference(relation, values, scope).physical
    probe = f"SELECT * FROM {quoted(physical)}"
    return _plan_of(tables, tuple(relations.steps.values()), probe, names), relations.steps.get(physical)


def _plan_of(tables: tuple[Table, ...], steps: tuple[Step, ...], query: str, names: Namespace) -> Plan:
    """A plan of some inputs and steps, and of a query instead of the scores."""
    plan = Plan("", "", Signature("", "", ""), {}, (), tables, (), steps, ResultQuery(query, frozenset()))
    return replace(plan, macros=tuple(macros_used(names, plan.texts())))


# -- cases -----------------------------------------------------------------------------------------


def _case_faults(catalog: Catalog, document: Document, runs: CaseRuns) -> Iterator[str]:
    """The faults of the cases of a document."""
    for metric, case, place in cases_of(document):
        names, faults = _namespace_of_case(catalog, document, metric, case, place, runs)
        try:
            faults += _proofs_of_case(names, metric, case, place, runs) if names else ()
        except ScorespecError as error:
            faults.append(str(error))
        yield from (f"{place}: {metric}: {fault}" for fault in faults)


def cases_of(document: Document) -> Iterator[tuple[str, Case, Place]]:
    """The cases of a document, each with its metric and its place."""
    for metric, cases in (document.data.get("cases") or {}).items():
        for index, written in enumerate(cases):
            yield metric, read_as(Case, written), document.place(("cases", metric, index))


def _namespaces_of_cases(catalog: Catalog, document: Document, metric: str) -> list[Namespace]:
    """The namespaces for the cases of a metric: the suite of the document, or all that have the metric."""
    domain, suite = str(document.data.get("domain", "")), str(document.data.get("suite", ""))
    suites = [suite] if suite else ["", *catalog.suites(domain)]
    namespaces = [catalog.namespace(domain, each) for each in suites]
    keys = [each.key("metrics", metric) for each in namespaces]
    known = [(each, key) for each, key in zip(namespaces, keys, strict=True) if key and resolves(each, key)]
    # A metric of the whole domain is not the metric that a suite has under the same name.
    shared = DefinitionKey("metrics", domain, "", metric)
    return [each for each, key in known if key == shared or keys[0] != shared] or namespaces[:1]


def _namespace_of_case(
    catalog: Catalog, document: Document, metric: str, case: Case, place: Place, runs: CaseRuns
) -> tuple[Namespace | None, list[str]]:
    """The first namespace in which a case holds; if there is none, the faults of the case in each."""
    found: dict[str, list[str]] = {}
    for names in _namespaces_of_cases(catalog, document, metric):
        try:
            found[names.suite] = differences_of_case(names, metric, case, place, runs)
        except ScorespecError as error:
            found[names.suite] = [str(error)]
        if not found[names.suite]:
            return names, []
    first, *others = found.values()
    if all(each == first for each in others):
        return None, first
    return None, [f"in {suite or 'the domain'}: {fault}" for suite, faults in found.items() for fault in faults]


def differences_of_case(names: Namespace, metric: str, case: Case, place: Place, runs: CaseRuns) -> list[str]:
    """What differs between the scores of a case and what it expects; nothing if it holds."""
    found, expected = scores_of_case(names, metric, case, place, runs)
    return [*differences(found, expected), *differences_of_printed(case, found)]


def scores_of_case(names: Namespace, metric: str, case: Case, place: Place, runs: CaseRuns) -> tuple[Scores, Scores]:
    """The components of a case, and what it expects of them."""
    _, _, plan, inputs = _run_of_case(names, metric, case, place)
    scores = runs.scores(plan, inputs, names).to_pylist()
    found = {row["component"]: row["value"] for row in scores if json.loads(row["slice"]) == case.slice}
    if case.slice and not found:
        groups = ", ".join(sorted({row["slice"] for row in scores} - {"{}"})) or "none"
        raise SpecError(f"the metric has no group {json.dumps(case.slice)} in this case; its groups: {groups}")
    expected = {name: number(value) for name, value in case.expect.items()}
    return found, expected if case.oracle is None else expected | _ask_oracle(case.oracle, inputs)


def _proofs_of_case(names: Namespace, metric: str, case: Case, place: Place, runs: CaseRuns) -> Iterator[str]:
    """What differs between slices of a case and runs on their rows, and between sums over partitions and all rows."""
    suite, request, plan, inputs = _run_of_case(names, metric, case, place)
    if case.slices_differ is None:
        yield from differences_of_slices(names, suite, plan, request, inputs, runs)
    suites = map(names.catalog.suite, [names.suite] if names.suite else names.catalog.suites(names.domain))
    for each in {each.partitions: each for each in suites if each.partitions}.values():
        runs.scores(plan, inputs, names)
        yield from differences_of_partitions(plan, each, inputs, runs.last_session())


def _run_of_case(
    names: Namespace, metric: str, case: Case, place: Place
) -> tuple[Suite, Request, Plan, dict[str, pa.Table]]:
    """The suite, request and plan of a metric over the rows of a case, and these rows."""
    tables = {**_example(names, case.example, place), **case.tables}
    for name in tables:
        if names.table(name) is None:
            raise SpecError(f"unknown table {name!r}; {nearest(name, names.names('tables'))}")
    suite, request = trial_suite(names, metric, name="case"), Request(case.params, given=frozenset(tables))
    plan = compile_suite(names, suite, request)
    inputs = {table.name: _rows_as_arrow(table, tables[table.name]) for table in plan.tables if table.name in tables}
    return suite, request, plan, inputs


def _example(names: Namespace, name: str | None, place: Place) -> Mapping[str, Any]:
    if name is None:
        return {}
    examples: dict[str, Mapping[str, Any]] = {
        each: rows
        for document in names.catalog.documents
        if document.data.get("domain") == names.domain
        for each, rows in (document.data.get("examples") or {}).items()
    }
    if name not in examples:
        raise SpecError(f"unknown example {name!r}; {nearest(name, examples)}", place)
    return examples[name]


def _rows_as_arrow(table: Table, rows: Sequence[Sequence[Any]]) -> pa.Table:
    try:
        lengths = sorted({len(row) for row in rows})
        if len(lengths) > 1 or lengths > [len(table.columns)]:
            found = " and another ".join(map(str, lengths))
            raise ValueError(f"a row has {found} values; the columns are {', '.join(table.column_names)}")
        columns = list(zip(*rows, strict=True)) or [()] * len(table.columns)
        return pa.table(
            {
                column.name: pa.array(values, arrow_type(column.type))
                for column, values in zip(table.columns, columns, strict=False)
            }
        )
    except (ValueError, TypeError) as error:
        raise SpecError(f"the rows of {table.name!r}: {error}") from None


def _ask_oracle(sql: str, inputs: Mapping[str, pa.Table]) -> dict[str, float | None]:
    """The one row of a hand-written query over the input tables; it is as locked as the SQL of a relation."""
    with open_session(TRIAL) as session:
        for name, rows in inputs.items():
            with session.reading("incoming", rows):
                session.create(name, "FROM incoming")
        session.lock()
        with error_context(session, "the oracle"), session.batches(sql) as reader:
            answer = reader.read_all()
    if answer.num_rows != 1:
        raise SpecError(f"the oracle has {answer.num_rows} rows; it must have one")
    (row,) = answer.to_pylist()
    try:
        return {name: None if value is None else float(value) for name, value in row.items()}
    except (ValueError, TypeError) as error:
        raise SpecError(f"the oracle: {error}") from None
