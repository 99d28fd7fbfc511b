"""Sums of floating-point numbers that are the same in any order."""

from __future__ import annotations

import numpy as np

from scorespec.core.arrays import Floats, Ints

ROUNDING = 1e-12  # formulas over exact sums are rounded; relative differences up to this count as equal


def whole_multiples(values: Floats, bound: Floats | float) -> Floats:
    """The values, rounded to whole multiples of a power of 2, so that their sums are exact.

    ``bound`` is the largest absolute value that a sum of them may have. The unit is the bound, rounded up to a power of
    2, times 2^-52. Then each sum is a whole number of units below 2^53, which a double holds exactly, so that neither
    the order of additions nor the method of a matrix product changes a sum. Whole numbers whose sums are below 2^52
    stay as they are.
    """
    if not (np.isfinite(values).all() and np.isfinite(bound).all()):
        raise ValueError("a statistic that is resampled must be finite")
    _, exponents = np.frexp(bound)
    multiples: Floats = np.ldexp(np.rint(np.ldexp(values, 52 - exponents)), exponents - 52)
    return multiples


def exact_block_sums(sums: Floats) -> Floats:
    """Sums of blocks (blocks × …) as multiples whose sums are exact, if as many blocks are drawn as there are."""
    return whole_multiples(sums, len(sums) * np.abs(sums).max(axis=0, initial=0.0))


def exact_rows(rows: Floats, blocks: Ints, number: int) -> Floats:
    """Values of rows (rows × columns) as multiples whose sums are exact, if ``number`` blocks are drawn.

    The bound is ``number`` times the largest sum of absolute values in a block. It must not depend on the order of rows
    either, so that sum is made of values that are rounded up to units of 2^-52 times the largest value, times the rows.
    """
    bounds = np.zeros(rows.shape[1])
    for column, values in enumerate(np.abs(rows).T):
        _, exponent = np.frexp(len(values) * values.max(initial=0.0))
        units = np.ceil(np.ldexp(values, 52 - exponent))
        bounds[column] = number * np.ldexp(np.bincount(blocks, weights=units, minlength=1).max(), exponent - 52)
    return whole_multiples(rows, bounds)
