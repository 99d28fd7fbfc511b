"""Texts after the rules of Whisper's normalisers, which the package whisper-normalizer maintains."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from scorespec.errors import RunError, unknown
from scorespec.functions.function import TEXT, WHOLE, FunctionSetting, InputColumn, group_function

RULES = ("basic", "english")


@cache
def _normalizer(rules: str) -> Callable[[str], str]:
    """The function that normalises a text. Raises UsageError for unknown rules, RunError without the package."""
    if rules not in RULES:
        raise unknown(f"normalize {rules!r}", rules, RULES)
    try:
        from whisper_normalizer.basic import BasicTextNormalizer
        from whisper_normalizer.english import EnglishTextNormalizer
    except ImportError as error:
        said = f"the rules {rules!r} need a package that is not installed ({error.name})"
        raise RunError(f"{said}; pip install 'scorespec[normalize]'") from None
    found: Callable[[str], str] = (BasicTextNormalizer if rules == "basic" else EnglishTextNormalizer)()
    return found


def normalize_text(group: Mapping[str, Sequence[Any]], *, normalize: str) -> Mapping[str, Sequence[Any]]:
    """The words of a text after normalisation by some rules, ``basic`` or ``english``, numbered from 0.

    The rows of a group are the words of the text in order. Raises UsageError for other rules, and RunError without
    the package.
    """
    words = _normalizer(normalize)(" ".join(group["text"])).split()
    return {"text": words, "place": range(len(words))}


FUNCTIONS = (
    group_function(
        normalize_text,
        about="The words of a text after Whisper's rules of normalisation, basic or english. One row per word.",
        columns=(InputColumn("text", (TEXT,)),),
        result={"text": TEXT, "place": WHOLE},
        settings={"normalize": FunctionSetting(TEXT)},
    ),
)
