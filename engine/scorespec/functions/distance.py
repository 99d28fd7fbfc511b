"""Edit distance between strings whose characters are symbols."""

from __future__ import annotations

from typing import Any


def edit_distance_of_symbols(a: Any, b: Any) -> Any:
    """Levenshtein distance (unit costs) of each pair of strings, over code points.

    ``a`` and ``b`` are Arrow string arrays of one length; the result is an int32 array of that length.
    """
    # Imported when first called: most corpora have few enough symbols never to need it.
    import numpy as np
    import pyarrow as pa
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    left, right = (column.to_numpy(zero_copy_only=False) for column in (a, b))
    return pa.array(cpdist(left, right, scorer=Levenshtein.distance, dtype=np.int32))
