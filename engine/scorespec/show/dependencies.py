"""What a definition depends on, as a tree."""

from __future__ import annotations

from collections.abc import Iterator

from scorespec.catalog.lookup import Catalog, DefinitionKey, Namespace
from scorespec.catalog.model import Metric, ReferencePoint, Relation, Suite
from scorespec.core.terminal import first_sentence
from scorespec.errors import SpecError
from scorespec.plan.needs import direct_references
from scorespec.plan.parameters import read_metric_text
from scorespec.show.paragraphs import Lines, singular

Edges = dict[DefinitionKey, list[DefinitionKey]]  # of a graph: what each definition refers to

BRANCH, LAST = ("├─ ", "│  "), ("└─ ", "   ")  # before a line of a tree, and before what is below it


def dependencies(key: DefinitionKey, names: Namespace) -> Edges:
    """What a definition, and everything that it depends on, refers to, as a namespace sees them."""
    found: Edges = {}
    waiting = [key]
    for each in waiting:
        found[each] = list(dict.fromkeys(_referred(each, names)))
        waiting += [need for need in found[each] if need not in waiting]
    return found


def _referred(key: DefinitionKey, names: Namespace) -> Iterator[DefinitionKey]:
    try:
        definition = names.built(key)
    except SpecError:  # it refers to names that other suites have
        return
    match definition:
        case Relation():
            referred = [(section, name) for name in definition.needs for section in ("tables", "relations")]
        case Metric():
            referred = list(direct_references(definition, names.kinds[definition.kind]))
        case Suite():
            referred = [("metrics", read_metric_text(text)[0]) for text in (*definition.metrics, *definition.describe)]
            referred += [(section, kept) for kept in definition.keep.values() for section in ("tables", "relations")]
            referred += [("reference_points", point) for point in definition.reference_points]
        case ReferencePoint():
            referred = [("relations", made) for made in definition.inputs.values() if made]
        case _:
            return
    yield from (found for section, name in referred if (found := names.key(section, name)))


def tree(catalog: Catalog, key: DefinitionKey, edges: Edges) -> Lines:
    """What edges lead to from a definition, a line each; a definition that is above is not unfolded again."""
    unfolded = {key}

    def below(key: DefinitionKey, before: str) -> Lines:
        found = edges.get(key, ())
        suites = [each for each in found if each.section == "suites"]  # on one line: nothing is below them
        lines = [each for each in found if each not in suites[1:]]
        for number, each in enumerate(lines, 1):
            mark, after = LAST if number == len(lines) else BRANCH
            if each in suites:
                yield f"{before}{mark}{'suites' if suites[1:] else 'suite'} {', '.join(suite.name for suite in suites)}"
                continue
            again = each in unfolded and edges.get(each)
            about = "(above)" if again else first_sentence(catalog.definition(each).about)
            yield f"{before}{mark}{singular(each.section)} {each}  {about}".rstrip()
            if not again:
                unfolded.add(each)
                yield from below(each, before + after)

    return below(key, "")
