"""Resamples signals to another sampling rate."""

from __future__ import annotations

from functools import cache

import numpy as np

from scorespec.core.arrays import Floats

# The filter is a table with linear interpolation between its values, which are those of resampy's `kaiser_best`.
ZEROS, STEPS = 50, 2**13  # zero crossings on each side of the filter; table values from one crossing to the next
ROLL_OFF, KAISER = (
    0.9173473712608761,
    12.984585247040012,
)  # cutoff as a part of the Nyquist frequency; β of the Kaiser window
AT_ONCE = 2**14  # samples that are computed together; bounds the memory


def resample(signal: Floats, rate: float, to: float) -> Floats:
    """Resample a signal as resampy does with the filter `kaiser_best`.

    This is band-limited interpolation (Smith and Gossett 1984) with a Kaiser-windowed sinc; frequencies above half of
    the lower rate are removed. The result has ``floor(len(signal) * to / rate)`` samples. A signal that has the rate
    already is returned as it is. Raises ValueError for a rate that is not above 0.
    """
    if not (rate > 0 and to > 0):
        raise ValueError(f"a sampling rate must be above 0; it is {min(rate, to):g}")
    if rate == to:
        return signal
    ratio = to / rate
    scale = min(1.0, ratio)
    filter_ = scale * _half_filter()
    slopes = np.diff(filter_, append=filter_[-1])
    step = int(scale * STEPS)
    reach = ZEROS * STEPS // step + 1
    padded = np.pad(signal, reach)
    times = np.arange(int(len(signal) * to / rate), dtype=np.float64) * (1 / ratio)
    parts = [np.empty(0)]
    for start in range(0, len(times), AT_ONCE):
        whole = times[start : start + AT_ONCE].astype(np.int64)
        part = scale * (times[start : start + AT_ONCE] - whole)
        nodes = np.arange(reach)
        left = _weights(part, step, reach, filter_, slopes) * padded[(whole + reach)[:, None] - nodes]
        right = _weights(scale - part, step, reach, filter_, slopes) * padded[(whole + reach + 1)[:, None] + nodes]
        parts.append(left.sum(axis=1) + right.sum(axis=1))
    return np.concatenate(parts)


def _weights(part: Floats, step: int, reach: int, filter_: Floats, slopes: Floats) -> Floats:
    """The filter at a fraction ``part`` of a sample plus 0, 1, … samples; 0 beyond the end of the table."""
    place = part * STEPS
    before = place.astype(np.int64)
    at = before[:, None] + step * np.arange(reach)
    # A row has as many values as there are whole steps from its first value to the end of the table.
    there = np.arange(reach) < ((len(filter_) - before) // step)[:, None]
    at = np.minimum(at, len(filter_) - 1)
    weights: Floats = np.where(there, filter_[at] + (place - before)[:, None] * slopes[at], 0.0)
    return weights


@cache
def _half_filter() -> Floats:
    size = ZEROS * STEPS
    taper = np.kaiser(2 * size + 1, KAISER)[size:]
    filter_: Floats = ROLL_OFF * np.sinc(ROLL_OFF * np.linspace(0, ZEROS, size + 1)) * taper
    return filter_
