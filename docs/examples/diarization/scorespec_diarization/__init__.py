"""Diarization error rate: a domain of its own, as a plugin of scorespec."""

from pathlib import Path

from .speakers import SPEAKER_MAPPING
from .uem import UEM

FORMATS = [UEM]
FUNCTIONS = {"speaker_mapping": SPEAKER_MAPPING}
SPECS = Path(__file__).parent / "documents"
