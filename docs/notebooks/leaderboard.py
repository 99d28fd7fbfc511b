# %% [markdown]
# # A leaderboard
#
# Rank four systems, and say which ranks are certain. All systems have the same list of detections, and each system
# leaves out another part of the list.
#
# This page is the output of `docs/notebooks/leaderboard.py`. Run it at the top of a checkout, as a script or cell by
# cell.

# %%
import tempfile
from pathlib import Path

import scorespec

DATA = Path("tests/data/term_detection/medium_small")
INPUTS = {
    "queries": DATA / "kwlist.xml",
    "references": DATA / "ref.rttm",
    "audio": DATA / "ecf.xml",
}
folder = Path(tempfile.mkdtemp())
lines = (DATA / "kwslist.xml").read_text().splitlines()
detections = [line for line in lines if "<kw " in line]
for name, every in (
    ("full", 1000),
    ("close", 40),
    ("thinned", 4),
    ("halved", 2),
):
    left_out = {*detections[1::every]}
    text = "\n".join(line for line in lines if line not in left_out)
    (folder / f"{name}.xml").write_text(text + "\n")

# %% [markdown]
# ## Score all of them
#
# The names of the files are the names of the systems. The gold is prepared once.

# %%
results = folder / "results.duckdb"
batch = scorespec.score_each(
    "sws2013",
    **INPUTS,
    each={"detections": f"{folder}/*.xml"},
    metrics=["atwv", "cnxe"],
    output=results,
)
list(batch)

# %% [markdown]
# ## Rank them
#
# Intervals are in parentheses, possible ranks in brackets. Two systems share their possible ranks if a paired
# comparison does not tell them apart.

# %%
board = scorespec.leaderboard(results)
board

# %% [markdown]
# ## Publish it
#
# The same table for a web page and for a paper; `board.table` is an Arrow table for everything else.

# %%
print(board.markdown())

# %%
print(board.latex())
