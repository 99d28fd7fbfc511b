#!/usr/bin/env bash
# num2words 0.5.14: to="currency" reads the integer 5 as cents and the float 5.0 as euros: "zero euro, five cents" and
# "five euro, zero cents".
# Guess: equal numbers are equal amounts.
# So: amounts of a table depend on the type of its column: in a column of integers, each amount becomes a hundredth.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check num2words==0.5.14
cd "$folder"
env/bin/python - <<'PY'
from num2words import num2words

seen = [num2words(amount, to="currency") for amount in (5, 5.0, 150, 150.0)]
print(seen)
assert seen[:2] == ["zero euro, five cents", "five euro, zero cents"], seen
assert seen[2:] == ["one euro, fifty cents", "one hundred and fifty euro, zero cents"], seen
PY
