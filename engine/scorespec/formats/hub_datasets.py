"""Data sets of the package `datasets` of Hugging Face, in memory, on disk or streamed, as record batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

_AT_ONCE = 10_000  # rows


def is_hub_dataset(value: Any) -> bool:
    """Whether an object is a `Dataset` or an `IterableDataset`."""
    return hasattr(value, "with_format") and hasattr(value, "iter") and hasattr(value, "features")


class HubDataset:
    """A data set that is read like one of Arrow, as often as needed; sounds, which are structures, are not read."""

    def __init__(self, value: Any) -> None:
        features = getattr(value.features, "arrow_schema", None)
        schema = features or next(value.with_format("arrow").iter(1)).schema
        kept = [each for each in schema if not (pa.types.is_struct(each.type) or pa.types.is_binary(each.type))]
        self.schema = pa.schema(kept)
        self._rows = value.select_columns(self.schema.names).with_format("arrow")

    def scanner(self, **_: Any) -> Any:
        """What :class:`pyarrow.dataset.Dataset` has under this name."""
        from pyarrow.dataset import Scanner  # slow to load

        return Scanner.from_batches(self._batches(), schema=self.schema)

    def _batches(self) -> Iterator[Any]:
        for table in self._rows.iter(_AT_ONCE):
            yield from table.cast(self.schema).to_batches()
