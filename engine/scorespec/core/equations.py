"""Equations in LaTeX as plain text, for terminals and reports."""

from __future__ import annotations

import re

# A command, index or exponent with its text, which has no braces in it.
_GROUP = re.compile(
    r"\\frac\{([^{}]*)\}\{([^{}]*)\}|\\(overline|sqrt|text|operatorname)\{([^{}]*)\}|([_^])\{([^{}]*)\}"
)
_CALLED = {"overline": "mean(%s)", "sqrt": "√(%s)"}
_SIGNS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "theta": "θ", "lambda": "λ", "pi": "π", "Omega": "Ω",
    "sum": "Σ", "cdot": "·", "pm": "±", "times": "×", "le": "≤", "ge": "≥", "ne": "≠", "in": "∈", "notin": "∉",
    "cap": "∩", "cup": "∪", "bigcup": "⋃", "neg": "¬", "exists": "∃", "wedge": "∧", "emptyset": "∅", "langle": "⟨",
    "rangle": "⟩", "lbrace": "{", "rbrace": "}", "mid": "|", "lVert": "‖", "rVert": "‖", "left": "", "right": "",
    "quad": " ", "ldots": "…",
}  # fmt: skip


def plain(latex: str) -> str:
    r"""An equation as plain text: ``\frac{a - b}{N_{all}}`` is ``(a − b) / N_all``. Other commands are words."""
    while (shorter := _GROUP.sub(_written, latex)) != latex:
        latex = shorter
    text = re.sub(r"\\([A-Za-z]+|.)", lambda found: _SIGNS.get(found[1], found[1].strip(",;!")), latex)
    return re.sub(r"(?<![A-Za-z])-", "−", " ".join(text.split())).replace("( ", "(").replace(" )", ")")


def _written(found: re.Match[str]) -> str:
    above, below, command, text, mark, index = found.groups()
    if mark:
        return mark + (index if index.isalnum() else f"({index})")
    return _CALLED.get(command, "%s") % text if command else f"{_enclosed(above)} / {_enclosed(below)}"


def _enclosed(part: str) -> str:
    """A part of a fraction, in parentheses if it has several terms."""
    return f"({part})" if " " in re.sub(r"\|[^|]*\||\([^()]*\)", "", part.strip()) else part.strip()
