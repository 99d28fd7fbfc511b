#!/usr/bin/env bash
# diarizationlm 0.1.5: cpWER is 0 if the output has the words of one of two speakers only, and 0 if it has a speaker
# too many.
# Guess: words of speakers without a partner are deletions or insertions, as cpWER is defined: 2 errors in 5 words,
# and 3 in 3.
# So: a system that finds one speaker only, or invents one, has a perfect cpWER, and the number of reference words
# depends on the output.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check --no-deps diarizationlm==0.1.5 word-levenshtein==0.0.3 numba==0.68.1 llvmlite==0.50.0 numpy==2.4.6 scipy==1.17.1 tqdm==4.70.1
cd "$folder"
env/bin/python - <<'PY'
from diarizationlm.metrics import compute_utterance_metrics

seen = []
for output, output_speakers, reference, reference_speakers in (
    ("say no thanks", "1 1 1", "oh yes say no thanks", "1 1 2 2 2"),
    ("that is it say no thanks", "2 2 2 1 1 1", "say no thanks", "1 1 1"),
):
    result = compute_utterance_metrics(output, reference, output_speakers, reference_speakers)
    errors = result.cpwer_insert + result.cpwer_delete + result.cpwer_sub
    seen.append((errors, result.cpwer_total, result.wer_insert + result.wer_delete + result.wer_sub, result.wer_total))
print(seen)
assert seen == [(0, 3, 2, 5), (0, 3, 3, 3)], seen
PY
