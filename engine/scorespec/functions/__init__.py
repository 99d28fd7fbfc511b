"""Python functions that relations use: they read the rows of a query and yield rows.

A function sees columns, never the name of a suite or a domain, and returns rows, never a score.
"""

from __future__ import annotations

from scorespec.functions import (
    assignment,
    branches,
    chains,
    distance,
    edits,
    isotonic,
    matching,
    phonetics,
    spectrograms,
)
from scorespec.functions.assignment import best_matching, matching_schema
from scorespec.functions.base import RelationFunction
from scorespec.functions.branches import Costs, branches_schema, cheapest_branches
from scorespec.functions.chains import chain_schema, longest_chain
from scorespec.functions.columns import NUMBER, TRUTH, WHOLE, Setting
from scorespec.functions.distance import distance_schema, pairwise_edit_distance
from scorespec.functions.edits import cheapest_edits, edits_schema
from scorespec.functions.isotonic import blocks_schema, pool_adjacent_violators
from scorespec.functions.matching import first_best_matching, first_matching_schema
from scorespec.functions.phonetics import Weights, phonetic_alignment, phonetic_schema
from scorespec.functions.spectrograms import log_mel, log_mel_schema
from scorespec.functions.trajectories import (
    SEQUENCES,
    channel_means,
    differences,
    differences_schema,
    mean_columns,
    means_schema,
    paired_columns,
    resample_to_longer,
    resampling_schema,
    rmse,
    rmse_schema,
)

_COSTS = {name: Setting(WHOLE, 0, 2**31) for name in Costs._fields}

RELATION_FUNCTIONS = {
    "pairwise_edit_distance": RelationFunction(
        "edit distance of every two texts of a group: weight (product of both), distance, length (of the longer text); "
        "reads text, weight and the columns of the group, rows of a group together",
        pairwise_edit_distance,
        distance_schema,
        distance.COLUMNS,
    ),
    "cheapest_edits": RelationFunction(
        "alignment of least cost of two texts, word by word: block, left, right (0 or 1 words), correct; "
        "reads side (0, 1), text, optional and the columns of the group, rows of a group together",
        cheapest_edits,
        edits_schema,
        edits.COLUMNS,
        _COSTS,
    ),
    "phonetic_alignment": RelationFunction(
        "alignment of two texts by their sounds, with splits and merges of words: block, left, right "
        "(numbers of words), correct; reads side (0, 1), text, sounds and the columns of the group, rows of a group "
        "together",
        phonetic_alignment,
        phonetic_schema,
        phonetics.COLUMNS,
        {
            **{name: Setting(NUMBER, 0, 1e5) for name in Weights._fields},
            "phones": Setting("VARCHAR[]"),
            "block_words": Setting(WHOLE, 1, phonetics.MOST_WORDS),
        },
    ),
    "longest_chain": RelationFunction(
        "longest chain of the common runs of two sequences that has the same order on both sides: pairs of symbols; "
        "reads left_place, right_place (where each begins) and the columns of the group, rows of a group together",
        longest_chain,
        chain_schema,
        chains.COLUMNS,
        {"anchor_words": Setting(WHOLE, 0, 1e6)},
    ),
    "cheapest_branches": RelationFunction(
        "the alternatives in two texts that the alignment of least cost uses: side, alternation, branch; "
        "reads side (0, 1), text, optional, alternation, branch and the columns of the group, rows of a group together",
        cheapest_branches,
        branches_schema,
        branches.COLUMNS,
        _COSTS,
    ),
    "best_matching": RelationFunction(
        "one-to-one matching of the pairs of a group with the most pairs, then the largest sums of "
        "gain_1, gain_2, gain_3; reads left_row, right_row, the three gains and the columns of the group, rows of a "
        "group together",
        best_matching,
        matching_schema,
        assignment.COLUMNS,
    ),
    "first_best_matching": RelationFunction(
        "first one-to-one matching of the pairs of a group with the largest sums of gain_1, gain_2, …; without "
        "gains, pairs are matched in order; reads left_row, right_row, the gains and the columns of the "
        "group, rows of a group together and in order",
        first_best_matching,
        first_matching_schema,
        matching.columns,
    ),
    "pool_adjacent_violators": RelationFunction(
        "blocks of the isotonic fit of the share of positives along the rows: low and high (first and last "
        "score), positives and negatives; reads score, positives, negatives and the columns of the group, rows of a "
        "group together and in order",
        pool_adjacent_violators,
        blocks_schema,
        isotonic.COLUMNS,
    ),
    "rmse": RelationFunction(
        "the root mean squared error of each sequence against its reference: compared (the name x), comparable, rmse, "
        "channel_rmse, shape, reference_shape, fault, reference_fault; reads pairs of columns x and reference_x",
        rmse,
        rmse_schema,
        paired_columns,
        {"broadcast": Setting(TRUTH)},
        grouped=False,
    ),
    "resample_to_longer": RelationFunction(
        "the rows, where the shorter of each sequence and its reference is interpolated to the number of frames of "
        "the longer; reads pairs of columns x and reference_x",
        resample_to_longer,
        resampling_schema,
        paired_columns,
        grouped=False,
    ),
    "channel_means": RelationFunction(
        "the rows, where mean_x, if not given, is the mean over the channels of each frame of x; reads x and mean_x",
        channel_means,
        means_schema,
        mean_columns,
        grouped=False,
    ),
    "log_mel": RelationFunction(
        "the rows, where log_mel, if not given, is computed from signal (sampled at rate), and reference_log_mel from "
        "reference_signal; reads these columns",
        log_mel,
        log_mel_schema,
        spectrograms.COLUMNS,
        spectrograms.SETTINGS,
        grouped=False,
    ),
    "differences": RelationFunction(
        "first and third differences of a sequence from frame to frame, its shape and fault; reads sequence",
        differences,
        differences_schema,
        SEQUENCES,
        grouped=False,
    ),
}
