"""Log-mel spectrograms of audio signals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Floats, numpy_floats
from scorespec.errors import UsageError
from scorespec.functions.function import (
    CHANNELS,
    NUMBER,
    SEQUENCE,
    WHOLE,
    FunctionSetting,
    InputColumn,
    RelationFunction,
)
from scorespec.functions.sequences import Frames, read_frames, write_frames

SIDES = ("", "reference_")
COLUMNS = tuple(
    column._replace(name=f"{side}{column.name}")
    for side in SIDES
    for column in (
        InputColumn("log_mel", (CHANNELS,), True),
        InputColumn("signal", (SEQUENCE,), True),
        InputColumn("rate", (NUMBER,), True, 100, 1e6),
    )
)
LINEAR_HZ, LINEAR_MELS = 1000.0, 15.0  # Slaney's mel scale is linear up to this frequency,
MELS_PER_LOG = 27 / np.log(6.4)  # and logarithmic above it

SETTINGS = {
    "mel_rate": FunctionSetting(NUMBER, 1000, 1e6),
    "mel_window": FunctionSetting(WHOLE, 2, 2**20),
    "mel_hop": FunctionSetting(WHOLE, 1, 2**31),
    "mel_bands": FunctionSetting(WHOLE, 1, 2**16),
    **{f"mel_{name}": FunctionSetting(NUMBER, 0, 1e9) for name in ("low", "high", "dynamics")},
    **{f"mel_{name}": FunctionSetting(NUMBER, 1e-30, 1e30) for name in ("full_scale", "floor")},
}


@dataclass(frozen=True)
class MelSettings:
    """The parameters of a spectrogram: frequencies in Hz, sizes in samples.

    ``mel_full_scale`` is the magnitude of 0 dB, ``mel_floor`` the smallest magnitude. Values that are more than
    ``mel_dynamics`` dB below the loudest value of a signal are raised to that level.
    """

    mel_rate: float
    mel_window: int
    mel_hop: int
    mel_bands: int
    mel_low: float
    mel_high: float
    mel_full_scale: float
    mel_floor: float
    mel_dynamics: float

    def __post_init__(self) -> None:
        if self.mel_low >= self.mel_high:
            raise UsageError(f"mel_low is {self.mel_low:g}; it must be below mel_high, which is {self.mel_high:g}")
        if self.mel_floor >= self.mel_full_scale:
            limit = f"mel_full_scale, which is {self.mel_full_scale:g}"
            raise UsageError(f"mel_floor is {self.mel_floor:g}; it must be below {limit}")


def log_mel_schema(input_schema: pa.Schema) -> pa.Schema:
    """The other columns of the input, then the spectrograms."""
    wanted = {column.name for column in COLUMNS}
    kept = [field for field in input_schema if field.name not in wanted]
    return pa.schema([*kept, *(input_schema.field(f"{side}log_mel") for side in SIDES)])


def log_mel(batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, **settings: Any) -> Iterator[pa.RecordBatch]:
    """Compute the log-mel spectrograms that are not given from the signals.

    The input has the columns ``log_mel`` (DOUBLE[][], frames by bands), ``signal`` (DOUBLE[], samples between -1 and 1)
    and ``rate`` (Hz), and the same columns with ``reference_`` before their names; ``settings`` are those
    of :class:`MelSettings`. Yields the other columns, ``log_mel`` and ``reference_log_mel``: the given spectrogram, or
    that of :func:`spectrogram_of`; null where neither a spectrogram nor a signal is given.
    """
    schema, mel = log_mel_schema(input_schema), MelSettings(**settings)
    for batch in batches:
        columns = {name: batch[name] for name in schema.names}
        for side in SIDES:
            if batch[f"{side}signal"].null_count < batch.num_rows:
                given, signals = read_frames(batch[f"{side}log_mel"]), read_frames(batch[f"{side}signal"])
                rates = numpy_floats(batch[f"{side}rate"].fill_null(mel.mel_rate))
                frames = [
                    each or (signal and Frames(spectrogram_of(signal.values, rate, mel)))
                    for each, signal, rate in zip(given, signals, rates, strict=True)
                ]
                columns[f"{side}log_mel"] = write_frames(frames, schema.field(f"{side}log_mel").type)
        yield pa.RecordBatch.from_arrays(list(columns.values()), schema=schema)


def spectrogram_of(signal: Floats, rate: float, settings: MelSettings) -> Floats:
    """The log-mel spectrogram of a signal, 0 for silence and 1 for full scale: a row per hop, a column per band.

    It has the values of librosa's ``melspectrogram`` (Hann window, centred frames, zero padding, magnitudes, Slaney's
    mel filters of unit area) in dB, with ``mel_dynamics`` as the range below the loudest value. A signal of another
    rate is resampled first. Frames with a sample that is not finite are nan.
    """
    samples = resample(signal, rate, settings.mel_rate)
    size, hop = settings.mel_window, settings.mel_hop
    padded = np.pad(samples, size // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop]
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(size) / size)
    magnitudes = np.abs(np.fft.rfft(frames * window)) @ _mel_filters(settings).T
    decibels = 20 * np.log10(np.maximum(magnitudes, settings.mel_floor) / settings.mel_full_scale)
    silence = -20 * np.log10(settings.mel_floor / settings.mel_full_scale)
    loudest = np.fmax.reduce(decibels, axis=None)
    spectrogram: Floats = (np.maximum(decibels, loudest - settings.mel_dynamics) + silence) / silence
    return spectrogram


@cache
def _mel_filters(settings: MelSettings) -> Floats:
    """The weight of each frequency in each band, rounded to single precision as in librosa."""
    low, high = _mels(np.array([settings.mel_low, settings.mel_high]))
    edges = _hertz(np.linspace(low, high, settings.mel_bands + 2))
    frequencies = np.fft.rfftfreq(settings.mel_window, 1 / settings.mel_rate)
    ramps = edges[:, None] - frequencies
    widths = np.diff(edges)[:, None]
    triangles = np.maximum(0, np.minimum(-ramps[:-2] / widths[:-1], ramps[2:] / widths[1:])).astype(np.float32)
    triangles *= 2 / (edges[2:] - edges[:-2])[:, None]
    return triangles.astype(np.float64)


def _mels(hertz: Floats) -> Floats:
    above = np.log(np.maximum(hertz, LINEAR_HZ) / LINEAR_HZ) * MELS_PER_LOG
    return np.where(hertz < LINEAR_HZ, hertz * (LINEAR_MELS / LINEAR_HZ), LINEAR_MELS + above)


def _hertz(mels: Floats) -> Floats:
    above = LINEAR_HZ * np.exp((mels - LINEAR_MELS) / MELS_PER_LOG)
    return np.where(mels < LINEAR_MELS, mels * (LINEAR_HZ / LINEAR_MELS), above)


# -- sampling rates ----------------------------------------------------------------------------------

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


FUNCTIONS = (
    RelationFunction(
        "Fills log_mel, where it is NULL, with the log-mel spectrogram of signal (sampled at rate), and "
        "reference_log_mel with that of reference_signal. One row per input row.",
        log_mel,
        log_mel_schema,
        COLUMNS,
        SETTINGS,
        grouped=False,
    ),
)
