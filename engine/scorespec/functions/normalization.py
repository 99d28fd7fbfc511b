"""Texts after rules of normalisation: rules for every script, and Whisper's, which whisper-normalizer maintains."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from scorespec.errors import RunError, unknown
from scorespec.functions.function import TEXT, WHOLE, FunctionSetting, InputColumn, group_function

SHORT, MOST_KEPT = 1_000, 50_000  # characters of texts whose normal form is kept; number of these texts
RULES = ("basic", "english", "whisper_basic")
_REMARK = re.compile(r"[<\[][^>\]]*[>\]]|\([^)]+\)")  # as Whisper finds it
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])['’](?=[^\W\d_])")
_POINT = re.compile(r"(?<=\d)\.(?=\d)")
_MINUS = re.compile(r"(?<!\S)(\W*)[-−–](?=[$€£¥]?\d)")
# Noncharacters of Unicode stand for the apostrophe, the point and the minus while punctuation is removed.
_KEPT = {"\ufdd0": "'", "\ufdd1": ".", "\ufdd2": "-"}


def basic_text(text: str) -> str:
    """A text without remarks in brackets, punctuation and symbols, in small letters and the form NFKC.

    A blank replaces each sign. Combining marks stay with their letter; without a letter, they go. Apostrophes inside a
    word, points between digits and the minus sign of a number stay.
    """
    text = _REMARK.sub("", unicodedata.normalize("NFKC", text).lower())
    for pattern, sign in ((_APOSTROPHE, "\ufdd0"), (_POINT, "\ufdd1"), (_MINUS, r"\1" "\ufdd2")):
        text = pattern.sub(sign, text)
    kept = [" "]
    for character in text:
        kind = unicodedata.category(character)[0]
        is_sign = kind in "PS" or (kind == "M" and kept[-1].isspace())
        kept.append(" " if is_sign else _KEPT.get(character, character))
    return "".join(kept)


@cache
def _normalizer(rules: str) -> Callable[[str], str]:
    """The function that normalises a text. Raises UsageError for unknown rules, RunError without their package."""
    if rules not in RULES:
        raise unknown(f"normalize {rules!r}", rules, RULES)
    if rules == "basic":
        return basic_text
    try:
        from whisper_normalizer.basic import BasicTextNormalizer
        from whisper_normalizer.english import EnglishTextNormalizer
    except ImportError as error:
        said = f"the rules {rules!r} need a package that is not installed ({error.name})"
        raise RunError(f"{said}; pip install 'scorespec[normalize]'") from None
    found: Callable[[str], str] = (EnglishTextNormalizer if rules == "english" else BasicTextNormalizer)()
    return found


@lru_cache(MOST_KEPT)
def _normalized(text: str, rules: str) -> list[str]:
    """The words of a short text after normalisation. Both texts and several systems have utterances in common."""
    return _normalizer(rules)(text).split()


def normalize_text(group: Mapping[str, Sequence[Any]], *, normalize: str) -> Mapping[str, Sequence[Any]]:
    """The words of a text after normalisation by some rules (``RULES``), numbered from 0.

    The rows of a group are the words of the text in order. Raises UsageError for other rules, and RunError without
    the package of Whisper's rules, ``english`` and ``whisper_basic``.
    """
    text = " ".join(group["text"])
    words = (_normalized if len(text) <= SHORT else _normalized.__wrapped__)(text, normalize)
    return {"text": words, "place": range(len(words))}


FUNCTIONS = (
    group_function(
        normalize_text,
        about="The words of a text after normalisation by rules for every script (basic) or by Whisper's (english, "
        "whisper_basic). One row per word.",
        columns=(InputColumn("text", (TEXT,)),),
        result={"text": TEXT, "place": WHOLE},
        settings={"normalize": FunctionSetting(TEXT)},
    ),
)
