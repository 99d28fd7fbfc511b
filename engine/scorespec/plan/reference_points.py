"""Compiles the relations that make the inputs of a suite's reference points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import Suite, Table
from scorespec.errors import SpecError
from scorespec.plan.compile import Request, compile_suite
from scorespec.plan.plan import NO_SCORES, Evidence, Plan
from scorespec.plan.relations import Relations
from scorespec.plan.rendering.templates import quoted


def relations_plan(names: Namespace, suite: Suite, request: Request) -> Plan:
    """A plan without metrics, whose evidence are the relations of the reference points, over the whole corpus.

    It needs the inputs that the suite requires and these relations read. Raises SpecError for a relation that reads an
    input of a submission.
    """
    relations = Relations(names, frozenset())
    kept = {relation for _, _, relation in made_inputs(suite)}
    read = [found.name for found in relations.upstream(sorted(kept)) if isinstance(found, Table)]
    for point, made, relation in made_inputs(suite):
        for table in relations.upstream([relation]):
            if table.name in suite.submitted:
                said = f"relation {relation!r} reads the input {table.name!r}, which is part of a submission"
                raise SpecError(said, suite.reference_points[point].origin.place("inputs", made))
    trial = replace(suite, metrics=(), keep={each: each for each in sorted(kept)}, vary={}, folds=None)
    declared = relations.parameters(kept)
    params = {name: value for name, value in request.params.items() if name in declared}
    given = frozenset(name for name in read if name in suite.inputs or name in (request.given or ()))
    plan = compile_suite(names, trial, Request(params, given=given))
    required = tuple(name for name in suite.inputs if name in read)
    evidence = tuple(_in_order(names, suite, each) for each in plan.evidence)
    return replace(plan, scores=NO_SCORES, inputs=replace(plan.inputs, required=required), evidence=evidence)


def _in_order(names: Namespace, suite: Suite, kept: Evidence) -> Evidence:
    """The rows of a relation in the order in which they are read as an input: by `line`, or by the key of the input."""
    made = next(made for _, made, relation in made_inputs(suite) if relation == kept.name)
    table, relation = names.table(made), names.relation(kept.name)
    declared = relation.column_names if relation else ()
    present = declared or [each.name for each in table.columns if not each.nullable] if table else ()
    key = ["line"] if "line" in declared else [each for each in (table.key if table else ()) if each in present]
    order = f"\nORDER BY {', '.join(map(quoted, key))}" if key else ""
    without = " EXCLUDE (line)" if "line" in declared else ""
    return replace(kept, sql=f"SELECT *{without} FROM ({kept.sql}){order}")


def made_inputs(suite: Suite) -> Iterator[tuple[str, str, str]]:
    """The inputs that relations make: name of the reference point, input, relation."""
    for name, point in suite.reference_points.items():
        for made, relation in point.inputs.items():
            if relation is not None:
                yield name, made, relation
