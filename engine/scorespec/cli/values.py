"""Reads texts and paths of the command line without pydantic.

typer converts every value with pydantic, also the values of options that are not given. The import of pydantic takes as
long as that of DuckDB.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.core import TyperCommand, TyperGroup

from scorespec.core.terminal import say
from scorespec.examples import HERE


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


_METAVARS: dict[Any, str] = {Path: "FILE", list[Path]: "PATH", int: "N"}  # what the help calls a value


def _is_plain(value: str, kind: type) -> bool:
    """Whether a value needs no message of typer, as the path of an unreadable file does."""
    return kind is str or not os.path.lexists(value) or os.access(value, os.R_OK)


def _plain(param: Any) -> Any:
    """A parameter that is read without pydantic, and described in one style: names of values, flags without a type."""
    if param.param_type_name == "argument":
        param.metavar = param.metavar or param.name.upper()
        param.display_type_rich = lambda ctx: None
    elif param.metavar is None:
        param.metavar = "" if param.is_flag else _METAVARS.get(param.type_descriptor.annotation, param.name.upper())
    if param.help and param.help.endswith("."):  # what typer adds
        param.help = param.help[:1].lower() + param.help[1:-1]
    if "get_runtime_param" not in vars(param):
        conversion = _Conversion(param.get_runtime_param)
        param.get_runtime_param = lambda: conversion
    return param


class _Plain:  # the base of commands is in different modules in different versions of typer
    """A command whose texts and paths are read without pydantic, and whose help begins with an example."""

    def get_params(self, ctx: Any) -> list[Any]:
        return [_plain(each) for each in super().get_params(ctx)]  # type: ignore[misc]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the first example that begins as the command does; for a group, that of some command in it."""
        name = ctx.command_path.removeprefix(ctx.find_root().command_path)
        examples = (HERE / "commands.sh").read_text(encoding="utf-8").splitlines()
        say("\n Example:\n\n   $ " + next(each for each in examples if f"{each} ".startswith(f"scorespec{name} ")))
        super().format_help(ctx, formatter)  # type: ignore[misc]


class PlainCommand(_Plain, TyperCommand):
    """A single command."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [each.replace("{", "").replace("}", "") for each in super().collect_usage_pieces(ctx)]


class PlainGroup(_Plain, TyperGroup):
    """A group of commands."""
