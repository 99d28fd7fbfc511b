"""Student's t distribution.

scipy is imported when a number is asked for: its import takes longer than scoring a small submission.
"""

from __future__ import annotations


def t_quantile(level: float, freedom: float) -> float:
    """The value below which Student's t with ``freedom`` degrees of freedom lies with probability ``level``."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, level))


def t_two_sided(t: float, freedom: float) -> float:
    """The probability that the absolute value of Student's t is at least |t|."""
    from scipy.special import stdtr

    return float(2 * stdtr(freedom, -abs(t)))
