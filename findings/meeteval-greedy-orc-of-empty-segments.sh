#!/usr/bin/env bash
# meeteval 0.4.3: the greedy ORC-WER of a meeting falls from 3 errors to 1 when the output begins with a segment that
# has no words.
# Guess: a segment without words changes no error rate.
# So: the greedy rates of a system depend on silent segments, because ties between streams go to the one that was seen
# first; the exact ORC-WER has 1 error in both cases.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check meeteval==0.4.3
cd "$folder"
env/bin/python - <<'PY'
from meeteval.io import SegLST
from meeteval.wer import greedy_orcwer, orcwer


def meeting(*segments):
    return SegLST(
        [
            {"session_id": "m", "speaker": speaker, "start_time": float(start), "end_time": start + 1.0, "words": words}
            for speaker, start, words in segments
        ]
    )


reference = meeting(("B", 0, "b a"), ("A", 1, "c"), ("B", 2, "a"))
spoken = ("1", 0, "a"), ("1", 1, "c"), ("2", 2, "a")
found = {
    name: [rate(reference, hypothesis)["m"].errors for hypothesis in (meeting(*spoken), meeting(("2", -1, ""), *spoken))]
    for name, rate in (("greedy", greedy_orcwer), ("exact", orcwer))
}
print(found)
assert found == {"greedy": [3, 1], "exact": [1, 1]}, found
PY
