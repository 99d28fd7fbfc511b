#!/usr/bin/env bash
# pympi-ling 1.71 cannot read the annotations of a tier that refers to a tier of words, if that one divides a tier of
# utterances: KeyError.
# Guess: an annotation that refers to a word has the times of the word.
# So: glosses and translations of words, a usual layout of ELAN, are lost or end the program; annotations of
# utterances are read.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pympi-ling==1.71
cd "$folder"
env/bin/python - <<'PY'
import pympi

def annotation(number, times, text):
    return f'<ANNOTATION><{times} ANNOTATION_ID="a{number}"><ANNOTATION_VALUE>{text}</ANNOTATION_VALUE></{times.split()[0]}></ANNOTATION>'

def aligned(number, begin, end, text):
    return annotation(number, f'ALIGNABLE_ANNOTATION TIME_SLOT_REF1="ts{begin}" TIME_SLOT_REF2="ts{end}"', text)

slots = "".join(f'<TIME_SLOT TIME_SLOT_ID="ts{slot}" TIME_VALUE="{slot * 500}"/>' for slot in (1, 2, 3))
gloss = annotation(4, 'REF_ANNOTATION ANNOTATION_REF="a2"', "good")
schema = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd"'
with open("talk.eaf", "w") as file:
    file.write(
        f'<ANNOTATION_DOCUMENT {schema} AUTHOR="" DATE="2024-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0">'
        f'<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/><TIME_ORDER>{slots}</TIME_ORDER>'
        f'<TIER LINGUISTIC_TYPE_REF="u" TIER_ID="utterances">{aligned(1, 1, 3, "guten Tag")}</TIER>'
        f'<TIER LINGUISTIC_TYPE_REF="w" PARENT_REF="utterances" TIER_ID="words">{aligned(2, 1, 2, "guten")}{aligned(3, 2, 3, "Tag")}</TIER>'
        f'<TIER LINGUISTIC_TYPE_REF="g" PARENT_REF="words" TIER_ID="glosses">{gloss}</TIER>'
        '<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="u" TIME_ALIGNABLE="true" GRAPHIC_REFERENCES="false"/>'
        '<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="w" TIME_ALIGNABLE="true" CONSTRAINTS="Time_Subdivision" GRAPHIC_REFERENCES="false"/>'
        '<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="g" TIME_ALIGNABLE="false" CONSTRAINTS="Symbolic_Association" GRAPHIC_REFERENCES="false"/>'
        "</ANNOTATION_DOCUMENT>"
    )
eaf = pympi.Elan.Eaf("talk.eaf")
seen = {}
for tier in ("words", "glosses"):
    try:
        seen[tier] = eaf.get_annotation_data_for_tier(tier)
    except KeyError as error:
        seen[tier] = f"KeyError: {error}"
print(seen)
assert seen == {"words": [(500, 1000, "guten"), (1000, 1500, "Tag")], "glosses": "KeyError: 'a2'"}, seen
PY
