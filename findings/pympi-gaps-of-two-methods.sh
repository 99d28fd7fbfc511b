#!/usr/bin/env bash
# pympi-ling 1.71: the silence between turns that end at 1000 ms and begin at 1500 ms is 1001-1499 ms in
# get_gaps_and_overlaps and 1000-1500 ms in get_gaps_and_overlaps2.
# Guess: the same times: the second is documented as a faster variant of the first.
# So: pauses and gaps between speakers are 2 ms shorter with one of the two methods.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pympi-ling==1.71
cd "$folder"
env/bin/python - <<'PY'
import pympi

transcript = pympi.Elan.Eaf()
for tier, start, end in (("Ann", 0, 1000), ("Ben", 1500, 2000)):
    transcript.add_tier(tier)
    transcript.add_annotation(tier, start, end, "yes")
slow = list(transcript.get_gaps_and_overlaps("Ann", "Ben"))
fast = list(transcript.get_gaps_and_overlaps2("Ann", "Ben"))
print(slow, fast)
assert [gap[:2] for gap in slow] == [(1001, 1499)], slow
assert [gap[:2] for gap in fast] == [(1000, 1500)], fast
PY
