"""Diarization error rate: a domain of its own, as a plugin of scorespec."""

from pathlib import Path

from .speakers import speaker_mapping
from .uem import UEM

FORMATS = [UEM]
FUNCTIONS = {"speaker_mapping": speaker_mapping}
SPECS = Path(__file__).parent / "documents"
