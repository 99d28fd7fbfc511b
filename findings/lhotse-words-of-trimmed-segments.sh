#!/usr/bin/env bash
# lhotse 1.33.0: a supervision of 0-3 s that is trimmed to 0-1.5 s keeps its word of 2-2.5 s, with a duration of -0.5
# s.
# Guess: words outside of the trimmed segment are removed from its alignment.
# So: sums of word durations are too small, and alignments of cut recordings have words that are not in the audio.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check lhotse==1.33.0 urllib3
cd "$folder"
env/bin/python - <<'PY'
from lhotse import SupervisionSegment
from lhotse.supervision import AlignmentItem

words = [AlignmentItem("oh", 0.0, 0.5), AlignmentItem("no", 1.0, 0.5), AlignmentItem("yes", 2.0, 0.5)]
segment = SupervisionSegment("one", "talk", start=0, duration=3, text="oh no yes", alignment={"word": words})
trimmed = segment.trim(1.5)
seen = [(word.symbol, word.start, word.duration) for word in trimmed.alignment["word"]]
print(trimmed.start, trimmed.end, seen)
assert (trimmed.start, trimmed.end) == (0, 1.5), trimmed
assert seen == [("oh", 0, 0.5), ("no", 1.0, 0.5), ("yes", 2.0, -0.5)], seen
PY
