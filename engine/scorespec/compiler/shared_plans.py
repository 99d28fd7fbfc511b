"""Plans that runs with one catalog and equal requests share, such as those of many submissions."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from scorespec.catalog.lookup import Catalog
from scorespec.catalog.model import Suite
from scorespec.catalog.namespaces import Namespace
from scorespec.compiler.compile import Request, compile_suite
from scorespec.compiler.plan import Plan

MOST_PLANS = 32  # that are kept of a catalog: each has some hundred kilobytes of SQL
_plans: WeakKeyDictionary[Catalog, dict[str, Plan]] = WeakKeyDictionary()


def shared_plan(names: Namespace, suite: Suite, request: Request) -> Plan:
    """The plan of :func:`.compile_suite`, compiled once for each request."""
    plans = _plans.setdefault(names.catalog, {})
    asked = f"{suite.name} {request!r}"
    plan = plans.get(asked)  # another thread may clear the plans
    if plan is None:
        plan = compile_suite(names, suite, request)
        if len(plans) >= MOST_PLANS:
            plans.clear()
        plans[asked] = plan
    return plan
