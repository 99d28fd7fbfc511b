#!/usr/bin/env bash
# meeteval 0.4.3: tcpWER with collar 0 of a text against itself is 2.0 if its segment has no duration.
# Guess: 0: the words and the times are equal.
# So: recognisers that round times to tenths write such segments; each of their words becomes an insertion and a
# deletion.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check meeteval==0.4.3
cd "$folder"
env/bin/python - <<'PY'
import logging

import meeteval

logging.disable(logging.WARNING)
segments = meeteval.io.SegLST(
    [{"session_id": "talk", "speaker": "ann", "start_time": 1.0, "end_time": 1.0, "words": "yes"}]
)
seen = {collar: meeteval.wer.tcpwer(segments, segments, collar=collar)["talk"].error_rate for collar in (0, 5)}
print(seen)
assert seen == {0: 2.0, 5: 0.0}, seen
PY
