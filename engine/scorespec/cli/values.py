"""Reads texts and paths of the command line without pydantic.

Newer versions of typer convert every value with pydantic, also the values of options that are not given. Its import
takes as long as that of DuckDB, and older versions of typer do without it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.core import TyperCommand, TyperGroup


class _Conversion:
    """How the value of a parameter is converted: texts and paths here, all others by typer."""

    def __init__(self, typer_conversion: Callable[[], Any]) -> None:
        self._typer_conversion = typer_conversion

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        of_one = _CONVERSIONS.get(param.type_descriptor.annotation)
        given = value if several else [value]
        if of_one is None or not all(isinstance(each, str) and _is_plain(each, of_one) for each in given):
            return self._typer_conversion().coerce(value, param=param, ctx=ctx)
        found = [of_one(each) for each in given]
        return found if several else found[0]


_CONVERSIONS: dict[Any, type[str] | type[Path]] = {str: str, list[str]: str, Path: Path, list[Path]: Path}


def _is_plain(value: str, kind: type) -> bool:
    """Whether a value needs no message of typer, as the path of an unreadable file does."""
    return kind is str or not os.path.lexists(value) or os.access(value, os.R_OK)


def _with_conversion(param: Any) -> Any:
    typer_conversion = getattr(param, "get_runtime_param", None)
    if typer_conversion is not None and "get_runtime_param" not in vars(param):
        conversion = _Conversion(typer_conversion)
        param.get_runtime_param = lambda: conversion
    return param


class PlainCommand(TyperCommand):
    """A command whose texts and paths are read without pydantic."""

    def get_params(self, ctx: Any) -> list[Any]:
        return [_with_conversion(each) for each in super().get_params(ctx)]


class PlainGroup(TyperGroup):
    """A group of commands whose texts and paths are read without pydantic."""

    def get_params(self, ctx: Any) -> list[Any]:
        return [_with_conversion(each) for each in super().get_params(ctx)]
