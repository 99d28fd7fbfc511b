# %% [markdown]
# # Is the difference significant?
#
# Two systems searched the same audio for the same queries. One has a higher ATWV. Would it also be better for other
# queries? This page compares both, and shows what the comparison rests on.
#
# This page is the output of `docs/notebooks/significance.py`. Run it at the top of a checkout, as a script or cell by
# cell.

# %% [markdown]
# ## Two systems
#
# The second system is the first one without every fourth detection.

# %%
import tempfile
from pathlib import Path

import scorespec

DATA = Path("tests/data/term_detection/medium_small")
folder = Path(tempfile.mkdtemp())
lines = (DATA / "kwslist.xml").read_text().splitlines()
detections = [line for line in lines if "<kw " in line]
left_out = {*detections[::4]}
(folder / "full.xml").write_text("\n".join(lines) + "\n")
kept = [line for line in lines if line not in left_out]
(folder / "thinned.xml").write_text("\n".join(kept) + "\n")

INPUTS = {
    "queries": DATA / "kwlist.xml",
    "references": DATA / "ref.rttm",
    "audio": DATA / "ecf.xml",
}
METRICS = ["atwv", "mtwv", "cnxe"]
runs = [
    scorespec.score(
        "sws2013",
        **INPUTS,
        detections=folder / f"{name}.xml",
        name=name,
        metrics=METRICS,
        confidence=95,
    )
    for name in ("thinned", "full")
]
[round(run["atwv"].value, 4) for run in runs]

# %% [markdown]
# ## Compare them
#
# Detections of one query depend on each other, so queries are the blocks. For ATWV and Cnxe, the test swaps the two
# systems in random queries, and counts how often the difference is at least as large as the observed one. For MTWV,
# which has a best threshold, the test draws queries with replacement.

# %%
found = scorespec.compare(
    *runs,
    metrics=["atwv.value", "mtwv.value", "cnxe.value"],
)
found

# %% [markdown]
# `detectable` is the smallest true difference that a corpus like this one reveals with a probability of 80 %. If it
# is larger than the differences that you care about, you need more queries, not another test.

# %% [markdown]
# ## What it rests on
#
# Each run keeps the sums of each query. These are all that the comparison of ATWV reads:

# %%
runs[0].sql("""
    SELECT block ->> 'query' AS query, statistics['hits'] AS hits,
        statistics['false_alarms'] AS false_alarms
    FROM block_sums
    WHERE block IS NOT NULL AND source LIKE 'atwv%'
    ORDER BY query
    LIMIT 3
""")
