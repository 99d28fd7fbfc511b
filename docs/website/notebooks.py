"""Notebooks as plain scripts: `# %%` begins a cell, `# %% [markdown]` a cell of text. Running one writes its page."""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pyarrow as pa

_CELL = re.compile(r"^# %%(?P<text> \[markdown\])?$", re.MULTILINE)
SCRIPTS = Path(__file__).parents[1] / "notebooks"


def page(script: Path) -> str:
    """The Markdown of a notebook: its text, its code, and what each cell prints and returns."""
    names: dict[str, Any] = {"__name__": "notebook"}
    return "\n".join(line for cell in _cells(script) for line in _shown(*cell, script, names))


def _cells(script: Path) -> Iterator[tuple[bool, str, int]]:
    """The cells of a script: whether each is text, its source, the number of lines before it."""
    source = script.read_text(encoding="utf-8")
    heads = list(_CELL.finditer(source))
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        body = source[head.end() : following.start() if following else None]
        yield bool(head["text"]), body, source[: head.end()].count("\n")


def _shown(is_text: bool, source: str, above: int, script: Path, names: dict[str, Any]) -> Iterator[str]:
    if is_text:
        yield from (re.sub(r"^# ?", "", line) for line in source.strip().splitlines())
    else:
        printed, value = _executed(source, above, script, names)
        yield from ("```python", source.strip(), "```")
        yield from ("", "```text", printed.rstrip(), "```") if printed else ()
        yield from ("", *_value(value)) if value is not None else ()
    yield ""


def _executed(source: str, above: int, script: Path, names: dict[str, Any]) -> tuple[str, Any]:
    """What a cell prints, and the value of its last line if that is an expression."""
    tree = ast.increment_lineno(ast.parse(source), above)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    out, value = io.StringIO(), None
    with redirect_stdout(out):
        exec(compile(tree, str(script), "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), str(script), "eval"), names)
    return out.getvalue(), value


def _value(value: Any) -> Iterator[str]:
    """A table as Markdown, any other value as text."""
    if not isinstance(value, pa.Table):
        yield from ("```text", repr(value), "```")
        return
    yield from (f"| {' | '.join(value.column_names)} |", "|" + "---|" * value.num_columns)
    for row in value.to_pylist():
        yield f"| {' | '.join(map(_cell, row.values()))} |"


def _cell(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else "" if value is None else str(value)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(SCRIPTS.glob("*.py")):
        (folder / f"{path.stem}.md").write_text(page(path), encoding="utf-8")
