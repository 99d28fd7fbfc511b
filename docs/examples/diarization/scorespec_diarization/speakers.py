"""The speaker mapping: which reference speaker each hypothesis speaker stands for."""

import numpy as np
from scipy.optimize import linear_sum_assignment

from scorespec.plugin import TEXT, WHOLE, Column, group_function


def speaker_mapping(group):
    """The one-to-one mapping of speakers with the largest total of shared time."""
    references, row = np.unique(group["reference_speaker"], return_inverse=True)
    hypotheses, column = np.unique(group["hypothesis_speaker"], return_inverse=True)
    shared = np.zeros((len(references), len(hypotheses)))
    shared[row, column] = group["shared_time"]
    rows, columns = linear_sum_assignment(shared, maximize=True)
    mapped = [(r, c) for r, c in zip(rows, columns, strict=True) if shared[r, c] > 0]
    return {
        "reference_speaker": [str(references[r]) for r, _ in mapped],
        "hypothesis_speaker": [str(hypotheses[c]) for _, c in mapped],
    }


SPEAKER_MAPPING = group_function(
    speaker_mapping,
    about="the one-to-one mapping of reference speakers to hypothesis speakers with the largest total of shared time",
    columns=[
        Column("reference_speaker", (TEXT,)),
        Column("hypothesis_speaker", (TEXT,)),
        Column("shared_time", (WHOLE,), least=0),
    ],
    result={"reference_speaker": TEXT, "hypothesis_speaker": TEXT},
)
