# %% [markdown]
# # A TWV analysis
#
# Take a term-weighted value apart: how much is lost by decisions, by a common threshold, by calibration, and by
# occurrences that were never found. The system is made up: 1,776 detections of 18 queries that occur, in 200
# minutes of audio.
#
# This page is the output of `docs/notebooks/twv_analysis.py`. Run it at the top of a checkout, as a script or
# cell by cell.

# %%
import scorespec

DATA = "tests/data/term_detection/medium_small"
run = scorespec.score(
    "sws2013",
    queries=f"{DATA}/kwlist.xml",
    references=f"{DATA}/ref.rttm",
    audio=f"{DATA}/ecf.xml",
    detections=f"{DATA}/kwslist.xml",
)

# %% [markdown]
# ## From the ceiling to the score
#
# Each step down has a cause. `supremum_twv` misses only the occurrences that no detection covers.
# `upper_bound_twv` has the best threshold of each query, `mtwv` one threshold for all queries, and `atwv` the
# decisions of the system.

# %%
names = ("supremum_twv", "upper_bound_twv", "mtwv", "atwv")
steps = {name: run.value(name) for name in names}
above = 1.0
for name, value in steps.items():
    print(f"{name:16} {value:.4f}   lost: {above - value:.4f}")
    above = value

# %% [markdown]
# By definition, no number is larger than the one before. If one is, the analysis is wrong and not the system:

# %%
assert [1, *steps.values()] == sorted([1, *steps.values()], reverse=True)

# %% [markdown]
# ## Which queries cost the most
#
# `evidence_alignment` has a row for each detection and for each missed occurrence.

# %%
queries = run.sql("""
    SELECT query, count_if(target) AS occurrences,
        count_if(outcome = 'hit') AS hits,
        count_if(outcome = 'miss' AND score IS NOT NULL) AS below_threshold,
        count_if(outcome = 'miss' AND score IS NULL) AS never_found,
        count_if(outcome = 'false_alarm') AS false_alarms
    FROM evidence_alignment
    GROUP BY query
    HAVING occurrences > 0
    ORDER BY hits / occurrences, query
    LIMIT 6
""")
queries

# %% [markdown]
# ## The threshold
#
# The curve of `mtwv` has a point for each distinct score. Around the best point the value is flat, so the exact
# threshold matters little:

# %%
curve = run.sql("""
    SELECT round(threshold, 2) AS threshold,
        round(max(value), 4) AS twv, round(min(p_miss), 4) AS p_miss
    FROM curves
    WHERE metric = 'mtwv' AND threshold IS NOT NULL
    GROUP BY ALL
    ORDER BY twv DESC, threshold
    LIMIT 5
""")
curve

# %% [markdown]
# ## Calibration
#
# `cnxe` reads scores as log-likelihood ratios. `min_cnxe` is the value after the best affine map of the scores.
# The difference is what a calibration on a development set could gain.

# %%
for name in ("cnxe", "min_cnxe", "calibration_loss"):
    print(f"{name:16} {run.value(name):.4f}")
assert run.value("min_cnxe") <= run.value("cnxe")

# %% [markdown]
# ## The rates again, by hand
#
# The table of the run has P_miss at the decisions. It is the mean over queries of misses / occurrences:

# %%
by_hand = run.sql("""
    SELECT avg(rate) AS p_miss
    FROM (
        SELECT count_if(outcome = 'miss') / count_if(target) AS rate
        FROM evidence_alignment
        GROUP BY query
        HAVING count_if(target) > 0
    )
""")
assert abs(by_hand["p_miss"][0].as_py() - run.value("p_miss")) < 1e-12
by_hand
