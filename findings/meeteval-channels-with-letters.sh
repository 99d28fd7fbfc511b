#!/usr/bin/env bash
# meeteval 0.4.3 reads the channel A of an STM or CTM line if the line begins at 0.0 s, and raises ValueError if this
# time is written as 0.
# Guess: the channel is read in both cases: it is documented as anything, and ignored.
# So: files of telephone speech can be read unless a time is written without decimals; the message names the line, and
# not the time.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check meeteval==0.4.3
cd "$folder"
env/bin/python - <<'PY'
import meeteval

seen = {}
for reader, line in ((meeteval.io.STM, "call {} ann {} 2.5 yes\n"), (meeteval.io.CTM, "call {} {} 0.5 yes\n")):
    for channel in ("1", "A"):
        for start in ("0.0", "0"):
            try:
                seen[reader.__name__, channel, start] = len(reader.parse(line.format(channel, start)).lines)
            except ValueError:
                seen[reader.__name__, channel, start] = ValueError
print(seen)
refused = [case for case, outcome in seen.items() if outcome is ValueError]
assert refused == [("STM", "A", "0"), ("CTM", "A", "0")], refused
assert all(outcome in (1, ValueError) for outcome in seen.values()), seen
PY
