#!/usr/bin/env bash
# kaldialign 0.12.0: bootstrap_wer_ci returns a "wer" of 0.47 for two utterances with 2 errors in 6 words.
# Guess: 0.33, the error rate of the two utterances, as batch_error_rate of the same package returns it.
# So: the value is a mean over resamples, which differs from the error rate in small test sets with utterances of
# different lengths.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check kaldialign==0.12.0
cd "$folder"
env/bin/python - <<'PY'
import kaldialign

references = [["yes"], ["we", "say", "no", "to", "it"]]
outputs = [["guess"], ["we", "say", "no", "to", "them"]]
resampled = kaldialign.bootstrap_wer_ci(references, outputs)["wer"]
pooled = kaldialign.batch_error_rate(references, outputs)["err_rate"]
print(resampled, pooled)
assert (round(resampled, 2), round(pooled, 2)) == (0.47, 0.33), (resampled, pooled)
PY
