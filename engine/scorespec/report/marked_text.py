"""SQL and sentences as HTML."""

from __future__ import annotations

import duckdb
from markupsafe import Markup


def marked(sql: str) -> Markup:
    """SQL as HTML: keywords, texts, numbers and comments are marked."""
    text = sql.encode()  # DuckDB counts bytes
    found = [(0, ""), *((start, kind.name) for start, kind in duckdb.tokenize(sql))]
    ends = [start for start, _ in found[1:]] + [len(text)]
    pieces: list[Markup] = []
    for (start, kind), end in zip(found, ends, strict=True):
        piece = text[start:end].decode()
        word = piece.rstrip()
        pieces += [_marked_word(word, kind), Markup.escape(piece[len(word) :])]
    return Markup("").join(pieces)


def _marked_word(word: str, kind: str) -> Markup:
    # DuckDB counts names such as `precision` among the keywords; keywords of our SQL are in capitals.
    if kind in ("string_const", "numeric_const", "comment") or (kind == "keyword" and word.isupper()):
        return Markup('<span class="{}">{}</span>').format(kind, word)
    return Markup.escape(word)


def prose(text: str) -> Markup:
    """A sentence as HTML; text between backticks is code."""
    pieces = [Markup.escape(piece) for piece in text.split("`")]
    if len(pieces) % 2 == 0:
        return Markup.escape(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if at % 2 else piece for at, piece in enumerate(pieces)
    )
