#!/usr/bin/env bash
# datasets 5.2.0: after filter, sort or select, the Arrow table of a data set has all rows in their old order, except
# after a select of neighbouring rows.
# Guess: the table has the rows of the data set.
# So: utterances that were filtered out are scored if the table is given to another program.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check datasets==5.2.0
cd "$folder"
env/bin/python - <<'PY'
import datasets

datasets.disable_progress_bars()
utterances = datasets.Dataset.from_dict({"id": ["a", "b", "c"], "words": [1, 0, 2]})
changed = {
    "filter": utterances.filter(lambda row: row["words"] > 0),
    "sort": utterances.sort("words"),
    "select 0, 2": utterances.select([0, 2]),
    "select 1, 2": utterances.select([1, 2]),
}
seen = {name: (data["id"][:], data.data.table["id"].to_pylist()) for name, data in changed.items()}
print(seen)
every = ["a", "b", "c"]
assert seen["filter"] == seen["select 0, 2"] == (["a", "c"], every), seen
assert seen["sort"] == (["b", "a", "c"], every), seen
assert seen["select 1, 2"] == (["b", "c"], ["b", "c"]), seen
PY
