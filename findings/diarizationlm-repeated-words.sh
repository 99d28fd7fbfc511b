#!/usr/bin/env bash
# diarizationlm 0.1.5: Ann says "ok yes", Ben says "yes no", and the output has one "yes". WDER is 0 of 3 words if it
# is Ann's, and 1 of 3 if it is Ben's.
# Guess: 0 of 3 in both cases: each of them said yes, and one yes is deleted.
# So: which of two equal words is aligned decides whether a speaker is wrong; rates of programs with different rules
# for ties differ.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check --no-deps diarizationlm==0.1.5 word-levenshtein==0.0.3 numba==0.68.1 llvmlite==0.50.0 numpy==2.4.6 scipy==1.17.1 tqdm==4.70.1
cd "$folder"
env/bin/python - <<'PY'
from diarizationlm.metrics import compute_utterance_metrics

seen = {}
for name, speaker in (("Ann", "1"), ("Ben", "2")):
    result = compute_utterance_metrics("ok yes no", "ok yes yes no", f"1 {speaker} 2", "1 1 2 2")
    assert (result.wer_delete, result.wer_insert, result.wer_sub) == (1, 0, 0), result
    seen[name] = (result.wder_sub, result.wder_total)
print(seen)
assert seen == {"Ann": (0, 3), "Ben": (1, 3)}, seen
PY
