"""Substitutions and fillers, character by character and rule by rule, for comparison."""

from __future__ import annotations

from collections.abc import Collection, Sequence

Rule = tuple[str, str, str, str]  # pattern, replacement, before, after


def rewritten(text: str, rules: Sequence[Rule]) -> str:
    """A text after substitution: at each character, the first rule in order that fits is applied."""
    out, at = "", 0
    while at < len(text):
        for pattern, replacement, before, after in rules:
            rest = text[at:]
            if text[:at].endswith(before) and rest.startswith(pattern) and rest[len(pattern) :].startswith(after):
                out, at = out + replacement, at + len(pattern)
                break
        else:
            out, at = out + text[at], at + 1
    return out


def preprocessed(words: Sequence[str], rules: Sequence[Rule], fillers: Collection[str]) -> list[str]:
    """The words of a text after substitution, without fillers."""
    return [word for word in rewritten(f" {' '.join(words)} ", rules).split() if word not in fillers]
