"""Computes groups of rows in several threads at the same time.

numpy and Arrow release Python's lock while they compute, so that a function whose time they take gains from threads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context
from itertools import chain, islice
from typing import TYPE_CHECKING

import pyarrow as pa

from scorespec.arrays import Ints

if TYPE_CHECKING:
    from concurrent.futures import Future

Groups = tuple[pa.Table, Ints]
"""A table of whole groups, and the index at which each group starts."""


def in_threads(
    compute: Callable[[pa.Table, Ints], Sequence[pa.RecordBatch]], groups: Iterator[Groups], threads: int, most: int
) -> Iterator[pa.RecordBatch]:
    """What ``compute`` makes of each table of groups, in the order of the tables.

    Up to ``threads`` tables are computed at the same time, as long as they have at most ``most`` bytes together.
    """
    first = list(islice(groups, 2))
    groups = chain(first, groups)
    if threads == 1 or len(first) < 2:
        for each in groups:
            yield from compute(*each)
        return
    from concurrent.futures import ThreadPoolExecutor  # slow to load

    begun: deque[tuple[int, Future[Sequence[pa.RecordBatch]]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for table, starts in groups:
                # One table waits, so that no thread does.
                while begun and (len(begun) > threads or sum(size for size, _ in begun) + table.nbytes > most):
                    yield from begun.popleft()[1].result()
                # The context has numpy's settings of errors.
                begun.append((table.nbytes, pool.submit(copy_context().run, compute, table, starts)))
            while begun:
                yield from begun.popleft()[1].result()
        finally:
            for _, future in begun:
                future.cancel()
