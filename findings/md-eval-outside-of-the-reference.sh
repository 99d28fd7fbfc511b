#!/usr/bin/env bash
# md-eval (Debian's sctk 2.4.10) without a UEM counts no false alarm before the first or after the last turn of the
# reference: DER is 0 where pyannote.metrics 4.2.0 and spy-der 0.4.1 have 2.5.
# Guess: the time that is scored spans the turns of both files.
# So: rates of one output differ by all speech that was found at the ends of recordings; compare only rates with a
# UEM.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pyannote.database==6.1.1 pyannote.metrics==4.2.0 spy-der==0.4.1 'setuptools<80'
cd "$folder"
apt-get download --quiet sctk=2.4.10-20151007-1312Z+dfsg2-3.1
dpkg-deb --extract sctk_*.deb sctk
env/bin/python - <<'PY'
import re
import subprocess

import spyder
from pyannote.database.util import load_rttm
from pyannote.metrics.diarization import DiarizationErrorRate

turns = {"reference.rttm": [(4, 2, "Ann")], "output.rttm": [(0, 2, "x"), (4, 2, "x"), (8, 3, "x")]}
for name, rows in turns.items():
    with open(name, "w") as file:
        for start, duration, speaker in rows:
            file.write(f"SPEAKER talk 1 {start} {duration} <NA> <NA> {speaker} <NA> <NA>\n")
command = ["perl", "sctk/usr/lib/sctk/bin/md-eval.pl", "-r", "reference.rttm", "-s", "output.rttm"]
report = subprocess.run(command, capture_output=True, text=True, check=True).stdout
nist = float(re.search(r"OVERALL SPEAKER DIARIZATION ERROR = ([0-9.]+) percent", report)[1]) / 100
pyannote = DiarizationErrorRate()(load_rttm("reference.rttm")["talk"], load_rttm("output.rttm")["talk"])
spans = ([(speaker, start, start + duration) for start, duration, speaker in rows] for rows in turns.values())
seen = (nist, pyannote, spyder.DER(*spans).der)
print(seen)
assert seen == (0.0, 2.5, 2.5), seen
PY
