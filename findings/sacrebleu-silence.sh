#!/usr/bin/env bash
# sacrebleu 2.6.0: an empty output for an empty reference has a TER of 0, which is perfect, and a chrF and a BLEU of
# 0, which is the worst.
# Guess: perfect in all three: the texts are equal.
# So: in speech translation with silent segments, a mean of sentence scores falls with each correct silence, or
# improves with it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check sacrebleu==2.6.0
cd "$folder"
env/bin/python - <<'PY'
import sacrebleu

metrics = {"ter": sacrebleu.sentence_ter, "chrf": sacrebleu.sentence_chrf, "bleu": sacrebleu.sentence_bleu}
seen = {
    text: {name: round(metric(text, [text]).score, 6) for name, metric in metrics.items()}
    for text in ("", "we all say yes")
}
print(seen)
assert seen[""] == {"ter": 0, "chrf": 0, "bleu": 0}, seen
assert seen["we all say yes"] == {"ter": 0, "chrf": 100, "bleu": 100}, seen
PY
