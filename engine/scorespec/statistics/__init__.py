"""How sure a score is: intervals, paired comparison and ranks, by resampling blocks.

A block is a set of units that are drawn together, such as all utterances of one talker. Everything here is arithmetic
over numpy arrays: the caller brings sums of statistics per block, or scored rows with the block of each row.
"""

from scorespec.statistics.bootstrap import (
    Formula,
    Resampled,
    mean_over_corpora,
    replicate_sums,
    resample,
)
from scorespec.statistics.confidence import (
    FEW_BLOCKS,
    FEWEST_BLOCKS,
    Interval,
    bca_bounds,
    bca_interval,
    effective_blocks,
    percentile_interval,
)
from scorespec.statistics.corrections import Standing, benjamini_hochberg, holm, standings, step_down_max_t
from scorespec.statistics.draws import Draws, block_groups
from scorespec.statistics.jackknife import jackknife_interval, jackknife_test
from scorespec.statistics.matched_pairs import FEW_PAIRS, MatchedPairsTest, error_segments, matched_pairs
from scorespec.statistics.paired_tests import (
    Outcomes,
    Significance,
    bootstrap_tests,
    expanded,
    outcomes,
    outcomes_without,
    pairwise_max_t,
    randomisation_tests,
    smallest_detectable,
)
from scorespec.statistics.simulated import Population, nearest_population
from scorespec.statistics.sweeps import RankedRows, best_thresholds, rank_rows, with_values
from scorespec.statistics.thresholds import (
    accepted_by_block,
    best_of_resamples,
    plateau_of,
    stacked,
    unstacked,
)

__all__ = [
    "FEWEST_BLOCKS",
    "FEW_BLOCKS",
    "FEW_PAIRS",
    "Draws",
    "Formula",
    "Interval",
    "MatchedPairsTest",
    "Outcomes",
    "Population",
    "RankedRows",
    "Resampled",
    "Significance",
    "Standing",
    "accepted_by_block",
    "bca_bounds",
    "bca_interval",
    "benjamini_hochberg",
    "best_of_resamples",
    "best_thresholds",
    "block_groups",
    "bootstrap_tests",
    "effective_blocks",
    "error_segments",
    "expanded",
    "holm",
    "jackknife_interval",
    "jackknife_test",
    "matched_pairs",
    "mean_over_corpora",
    "nearest_population",
    "outcomes",
    "outcomes_without",
    "pairwise_max_t",
    "percentile_interval",
    "plateau_of",
    "randomisation_tests",
    "rank_rows",
    "replicate_sums",
    "resample",
    "smallest_detectable",
    "stacked",
    "standings",
    "step_down_max_t",
    "unstacked",
    "with_values",
]
