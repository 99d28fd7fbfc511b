#!/usr/bin/env bash
# panphon 0.22.2: the letter g of the keyboard (U+0067) is no segment, so the distance of "gat" and "at" is 0.
# Guess: an unknown letter is an error, or counts as one segment, as IPA's ɡ (U+0261) does.
# So: phone error rates of transcriptions that use the keyboard's g leave out each of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check panphon==0.22.2 'setuptools<80'
cd "$folder"
env/bin/python - <<'PY'
import panphon.distance

distance = panphon.distance.Distance()
seen = {name: distance.feature_edit_distance(f"{letter}at", "at") for name, letter in (("U+0067", "g"), ("U+0261", "ɡ"))}
seen["PER"] = distance.phoneme_error_rate(["gat"], ["at"])
print(seen)
assert seen["U+0067"] == seen["PER"] == 0.0 and 0.9 < seen["U+0261"] < 1.0, seen
PY
