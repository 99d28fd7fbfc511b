"""The matched-pairs test over segments of sentences (MAPSSWE), as sc_stats of NIST's SCTK computes it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from scorespec.core.arrays import Floats, Ints, Mask

FEW_PAIRS = 50  # with fewer pairs of segments, Z is not nearly normal


def error_segments(
    sentences: Ints, right: Mask, first: Floats, second: Floats, apart: int = 2
) -> tuple[Floats, Floats]:
    """Errors of two systems in each segment of the sentences.

    A row is a word of the reference, or words that a system inserts between two of them. Rows are in the order of the
    text. ``sentences`` has the sentence of each row, and ``right`` says that both systems have the word right.
    ``first`` and ``second`` have the errors of the systems. A segment begins and ends with an error. Two segments are
    separated by the end of a sentence, or by at least ``apart`` words that both systems have right. If + is right and -
    is an error, ``+ - + - + + -`` has the segments ``- + -`` and ``-``.
    """
    if not len(sentences):
        return np.empty(0), np.empty(0)
    new_sentence = np.append(True, sentences[1:] != sentences[:-1])
    runs = np.cumsum(new_sentence | np.append(True, right[1:] != right[:-1])) - 1
    between = right & (np.bincount(runs)[runs] >= apart)
    wrong = np.flatnonzero(~right)
    # A number that is the same for all errors of a segment: it grows at each sentence and at each gap between segments.
    passed = np.cumsum(new_sentence | between)[wrong]
    _, segment = np.unique(passed, return_inverse=True)
    one, other = (np.bincount(segment, weights=errors[wrong]).astype(np.float64) for errors in (first, second))
    return one, other


@dataclass(frozen=True)
class MatchedPairsTest:
    """The matched-pairs test: number of pairs of segments, mean difference of errors (second − first), Z, two-sided p.

    ``p_normal`` reads Z as a standard normal variable, as NIST's sc_stats does; ``p_student`` as Student's t with one
    degree of freedom less than pairs.
    """

    pairs: int
    mean: float
    z: float
    p_normal: float
    p_student: float


def matched_pairs(first: Floats, second: Floats) -> MatchedPairsTest:
    """Matched pairs of sentence segments (Gillick and Cox 1989): Z = mean / (standard deviation / √n).

    ``first`` and ``second`` have the word errors of each segment. The standard deviation divides by n − 1. If all
    differences are equal, Z is infinite, or NaN if there is no difference.
    """
    gain = np.asarray(second, np.float64) - first
    number = len(gain)
    if number < 2:
        return MatchedPairsTest(number, float(gain.sum()) if number else math.nan, math.nan, math.nan, math.nan)
    mean = float(gain.mean())
    error = float(gain.std(ddof=1)) / math.sqrt(number)
    if error == 0:
        p = float(mean == 0)
        return MatchedPairsTest(number, mean, math.copysign(math.inf, mean) if mean else math.nan, p, p)
    z = mean / error
    return MatchedPairsTest(number, mean, z, math.erfc(abs(z) / math.sqrt(2)), t_two_sided(z, number - 1))


def t_quantile(level: float, freedom: float) -> float:
    """The value below which Student's t with ``freedom`` degrees of freedom lies with probability ``level``."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, level))


def t_two_sided(t: float, freedom: float) -> float:
    """The probability that the absolute value of Student's t is at least |t|."""
    from scipy.special import stdtr

    return float(2 * stdtr(freedom, -abs(t)))
