#!/usr/bin/env bash
# DuckDB 2.0.1 refuses an Arrow table with a column of decimal256(10, 3), and reads the same column from a Parquet
# file.
# Guess: values that fit 38 digits are read from both.
# So: what can be scored depends on the way by which a table of scores reaches DuckDB.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check duckdb==2.0.1 pyarrow==26.0.1
cd "$folder"
env/bin/python - <<'PY'
from decimal import Decimal

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

scores = pa.table({"score": pa.array([Decimal("0.125")], pa.decimal256(10, 3))})
pq.write_table(scores, "scores.parquet")
try:
    seen = duckdb.sql("FROM scores").fetchall()
except duckdb.Error as error:
    seen = str(error)
print(seen, duckdb.sql("FROM 'scores.parquet'").fetchall())
assert "Unsupported Internal Arrow Type for Decimal" in seen, seen
assert duckdb.sql("FROM 'scores.parquet'").fetchall() == [(Decimal("0.125"),)]
PY
