#!/usr/bin/env bash
# pympi-ling 1.71: an EAF file whose root has no attribute xsi:noNamespaceSchemaLocation raises a KeyError with the name
# of this attribute. With the attribute, the same file is read.
# Guess: both are read, because XML has the attribute only as a hint for validators.
# So: a program that writes EAF without the hint makes files that pympi and what is built on it cannot open.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pympi-ling==1.71
cd "$folder"
env/bin/python - <<'PY'
from pathlib import Path

from pympi.Elan import Eaf

SCHEMA = "http://www.mpi.nl/tools/elan/EAFv3.0.xsd"
HINT = f' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="{SCHEMA}"'
FILE = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="2024-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0"{}>
  <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>
  <TIME_ORDER>
    <TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="0"/><TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="900"/>
  </TIME_ORDER>
  <TIER LINGUISTIC_TYPE_REF="utterance" TIER_ID="ann">
    <ANNOTATION>
      <ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts2">
        <ANNOTATION_VALUE>good morning</ANNOTATION_VALUE>
      </ALIGNABLE_ANNOTATION>
    </ANNOTATION>
  </TIER>
  <LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="utterance" TIME_ALIGNABLE="true"/>
</ANNOTATION_DOCUMENT>
"""

seen = []
for hint in (HINT, ""):
    Path("talk.eaf").write_text(FILE.format(hint), encoding="utf-8")
    try:
        seen.append(Eaf("talk.eaf").get_annotation_data_for_tier("ann"))
    except KeyError as error:
        seen.append(f"KeyError: {str(error)[-32:]}")
print(*seen, sep="\n")
assert seen[0] == [(0, 900, "good morning")], seen
assert seen[1].startswith("KeyError") and "noNamespaceSchemaLocation" in seen[1], seen
PY
