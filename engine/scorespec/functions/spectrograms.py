"""Log-mel spectrograms of audio signals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from scorespec.arrays import Floats, numpy_floats
from scorespec.errors import UsageError
from scorespec.functions.columns import CHANNELS, NUMBER, SEQUENCE, WHOLE, Column, Setting
from scorespec.functions.resampling import resample
from scorespec.functions.sequences import Frames, read_frames, write_frames

SIDES = ("", "reference_")
COLUMNS = tuple(
    Column(f"{side}{name}", (kind,), True, *limits)
    for side in SIDES
    for name, kind, *limits in (("log_mel", CHANNELS), ("signal", SEQUENCE), ("rate", NUMBER, 100, 1e6))
)
LINEAR_HZ, LINEAR_MELS = 1000.0, 15.0  # Slaney's scale is linear up to here,
MELS_PER_LOG = 27 / np.log(6.4)  # and then logarithmic


SETTINGS = {
    "mel_rate": Setting(NUMBER, 1000, 1e6),
    "mel_window": Setting(WHOLE, 2, 2**20),
    "mel_hop": Setting(WHOLE, 1, 2**31),
    "mel_bands": Setting(WHOLE, 1, 2**16),
    **{f"mel_{name}": Setting(NUMBER, 0, 1e9) for name in ("low", "high", "dynamics")},
    **{f"mel_{name}": Setting(NUMBER, 1e-30, 1e30) for name in ("full_scale", "floor")},
}


@dataclass(frozen=True)
class MelSettings:
    """How a spectrogram is made; frequencies in Hz, sizes in samples.

    ``full_scale`` is the magnitude of 0 dB, ``floor`` the smallest one, ``dynamics`` the dB below the loudest value of
    a signal that are told apart.
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
            raise UsageError(f"mel_low is {self.mel_low:g} and mel_high {self.mel_high:g}; it must be below that")
        if self.mel_floor >= self.mel_full_scale:
            said = f"mel_floor is {self.mel_floor:g} and mel_full_scale {self.mel_full_scale:g}"
            raise UsageError(f"{said}; it must be below that")


def log_mel_schema(input_schema: pa.Schema) -> pa.Schema:
    """The other columns as they are, the spectrograms last."""
    wanted = {column.name for column in COLUMNS}
    kept = [field for field in input_schema if field.name not in wanted]
    return pa.schema([*kept, *(input_schema.field(f"{side}log_mel") for side in SIDES)])


def log_mel(batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, **settings: Any) -> Iterator[pa.RecordBatch]:
    """Fill in the log-mel spectrograms that are not given, from signals.

    The input has the columns ``log_mel`` (DOUBLE[][], frames by bands), ``signal`` (DOUBLE[], samples between -1 and 1)
    and ``rate`` (Hz), and the same with ``reference_`` before the names; ``settings`` are those of
    :class:`MelSettings`. Yields the other columns, ``log_mel`` and ``reference_log_mel``, as :func:`spectrogram_of`
    makes them; null where there is neither a spectrogram nor a signal.
    """
    schema, mel = log_mel_schema(input_schema), MelSettings(**settings)
    for batch in batches:
        made = {name: batch[name] for name in schema.names}
        for side in SIDES:
            if batch[f"{side}signal"].null_count < batch.num_rows:
                made[f"{side}log_mel"] = _filled(batch, side, mel, schema.field(f"{side}log_mel").type)
        yield pa.RecordBatch.from_arrays(list(made.values()), schema=schema)


def _filled(batch: pa.RecordBatch, side: str, settings: MelSettings, kind: pa.DataType) -> pa.ListArray:
    given, signals = read_frames(batch[f"{side}log_mel"]), read_frames(batch[f"{side}signal"])
    rates = numpy_floats(batch[f"{side}rate"].fill_null(settings.mel_rate))
    rows = zip(given, signals, rates, strict=True)
    made = [_spectrogram(signal, rate, settings) if each is None else each for each, signal, rate in rows]
    return write_frames(made, kind)


def _spectrogram(signal: Frames | None, rate: float, settings: MelSettings) -> Frames | None:
    return signal and Frames(spectrogram_of(signal.values, rate, settings))


def spectrogram_of(signal: Floats, rate: float, settings: MelSettings) -> Floats:
    """The log-mel spectrogram of a signal, 0 for silence and 1 for full scale: a row per hop, a column per band.

    As librosa's ``melspectrogram`` (Hann window, centred, zeros around the signal, magnitudes, Slaney's mel filters
    with areas of one) in dB, cut off ``mel_dynamics`` below its loudest value. Another rate is resampled first. Frames
    with a sample that is not finite are nan.
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
    """The weight of each frequency in each band; in single precision, as librosa has them."""
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
