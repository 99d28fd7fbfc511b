"""Messages of documents, with names in braces that stand for values of a row."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

NAME = re.compile(r"\{(\w+)\}")


def names_in(says: str) -> tuple[str, ...]:
    """The names in braces in a message, each once."""
    return tuple(dict.fromkeys(NAME.findall(says)))


def fill_message(says: str, values: Mapping[str, object]) -> str:
    """The message of a document with values in place of the names in braces."""
    parts = message_parts(says, values)
    return "".join(str(values[part]) if at % 2 else part for at, part in enumerate(parts))


def message_parts(says: str, names: Collection[str]) -> list[str]:
    """The text of a message and the names in braces, in turn: `rate {rate} Hz` is `rate `, `rate` and ` Hz`.

    The message is split before it is filled, so that braces in a value stay as they are.
    """
    return re.split(f"{{({'|'.join(map(re.escape, names))})}}", says) if names else [says]
