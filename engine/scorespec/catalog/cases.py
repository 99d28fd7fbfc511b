"""Cases of metrics: rows in, scores out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from scorespec.catalog.keys import Key, Name
from scorespec.catalog.model import Value

Rows = Mapping[Name, tuple[tuple[Any, ...], ...]]  # by table


@dataclass(frozen=True)
class Case:
    """A case: rows of tables, and the components expected of them."""

    about: Annotated[str, Key("what the case shows, and how its numbers come about")]
    example: Annotated[Name | None, Key("rows of `examples` to start from")] = None
    tables: Annotated[Rows, Key("rows by table; they replace those of the example")] = field(default_factory=dict)
    params: Annotated[Mapping[str, Value], Key("values of parameters")] = field(default_factory=dict)
    slice: Annotated[Mapping[str, Any], Key("the slice whose scores are meant (the overall row)")] = field(
        default_factory=dict
    )
    expect: Annotated[
        Mapping[str, float | str | None],
        Key("components and their values; a text is a fraction worth reading, such as 2/3", minProperties=1),
    ] = field(default_factory=dict)
    oracle: Annotated[str | None, Key("hand-written SQL over the input tables: one row of components")] = None
