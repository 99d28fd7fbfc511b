"""Where the data of others are, which are read in place and are no part of the project."""

from __future__ import annotations

import os
from pathlib import Path

EXTERNAL = Path(__file__).parents[2] / "shared" / "external"
SAMPLE = EXTERNAL / "term_discovery" / "sample"  # of the evaluator of the ZeroSpeech Challenge 2015


def _folder(variable: str, folder: str) -> Path:
    return Path(os.environ.get(variable, EXTERNAL / folder))


SCTK = _folder("SCTK_TESTDATA", "sctk/testdata")
MEETEVAL = _folder("MEETEVAL", "meeteval")
BIASING = _folder("FBAI_SPEECH", "fbai-speech/is21_deep_bias")  # github.com/facebookresearch/fbai-speech
DIARIZATION = {  # folders of tests, by the program that they belong to
    "md-eval": _folder("MDEVAL_TESTDATA", "sctk/md-eval/test"),
    "dscore": _folder("DSCORE_TESTDATA", "dscore/scorelib/tests"),
    "pyannote.metrics": _folder("PYANNOTE_TESTDATA", "pyannote-metrics/tests"),
}
