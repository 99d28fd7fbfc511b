"""Predicted mean opinion scores: a domain of its own, as a plugin of scorespec."""

from pathlib import Path

from .ranks import RANK_CORRELATIONS
from .voicemos import VOICEMOS

FORMATS = [VOICEMOS]
FUNCTIONS = {"rank_correlations": RANK_CORRELATIONS}
SPECS = Path(__file__).parent / "mos.yaml"
