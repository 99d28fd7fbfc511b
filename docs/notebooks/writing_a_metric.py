# %% [markdown]
# # Writing a metric
#
# Write a metric for a question that no suite answers: *of the occurrences that the system missed, how many did it
# find with a score that was too low?* A lower threshold can win those. The others need a better search.
#
# This page is the output of `docs/notebooks/writing_a_metric.py`. Run it at the top of a checkout, as a script or
# cell by cell.

# %% [markdown]
# ## Find the rows
#
# A metric counts rows of a relation. The relation `alignment` has a row for each detection and each missed
# occurrence. Its columns say what became of it:

# %%
import tempfile
from pathlib import Path

import scorespec

DATA = "tests/data/term_detection/medium_small"
INPUTS = {
    "queries": f"{DATA}/kwlist.xml",
    "references": f"{DATA}/ref.rttm",
    "audio": f"{DATA}/ecf.xml",
    "detections": f"{DATA}/kwslist.xml",
}
first = scorespec.score("sws2013", **INPUTS, metrics=["atwv"])
first.sql("""
    SELECT outcome, score IS NOT NULL AS has_score, count(*) AS rows
    FROM evidence_alignment
    GROUP BY ALL
    ORDER BY ALL
""")

# %% [markdown]
# ## Write the document
#
# `numerator` and `denominator` are sums over rows. `unit` names the column for whose values the sums are kept, so that
# breakdowns and intervals can be computed from the sums.

# %%
DOCUMENT = """
domain: term_detection
metrics:
  recoverable_misses:
    about: >-
      Share of the missed occurrences that have a detection, so that a
      lower threshold would recover them.
    better: higher
    range: [0, 1]
    kind: ratio
    from: alignment
    where: outcome = 'miss'
    numerator: count(score)
    denominator: count(*)
    unit: [query]
"""
folder = tempfile.TemporaryDirectory()
document = Path(folder.name) / "recoverable.yaml"
document.write_text(DOCUMENT)

# %% [markdown]
# ## Score with it
#
# The new metric is scored like those of the suite, also in breakdowns:

# %%
run = scorespec.score(
    "sws2013",
    **INPUTS,
    specs=document,
    metrics=["recoverable_misses", "p_miss"],
    by=["query"],
)
share = run.value("recoverable_misses")
print(f"{share:.4f} of the missed occurrences have a detection")

# %%
run.sql("""
    SELECT slice->>'query' AS query, round(value, 4) AS recoverable
    FROM scores
    WHERE metric = 'recoverable_misses'
        AND slice <> '{}' AND value IS NOT NULL
    ORDER BY value, query
    LIMIT 4
""")

# %% [markdown]
# ## Check it in another way
#
# Compute the number from the evidence, without the engine:

# %%
again = first.sql("""
    SELECT count(score) / count(*) AS share
    FROM evidence_alignment
    WHERE outcome = 'miss'
""")
assert abs(again["share"][0].as_py() - share) < 1e-12
again

# %% [markdown]
# ## Let the engine refuse a wrong one
#
# A mean cannot be added up over queries. The engine says so, and says what to write instead:

# %%
document.write_text(DOCUMENT.replace("count(score)", "avg(score)"))
try:
    scorespec.score(
        "sws2013",
        **INPUTS,
        specs=document,
        metrics=["recoverable_misses"],
    )
except scorespec.SpecError as error:
    refused = str(error).replace(folder.name, "…")
print(refused)
assert "does not add up" in refused
folder.cleanup()
