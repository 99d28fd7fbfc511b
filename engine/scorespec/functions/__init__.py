"""Python functions that relations are made with: fed the rows of a query, they make rows.

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
        "for each two rows of a group: weight (the product), distance (edits) and length (of the longer text); "
        "fed text, weight and the columns of the group, rows of a group together",
        pairwise_edit_distance,
        distance_schema,
        distance.COLUMNS,
    ),
    "cheapest_edits": RelationFunction(
        "of the two texts of a group the cheapest alignment, word by word: block, left, right (0 or 1 words), correct; "
        "fed side (0, 1), text, optional and the columns of the group, rows of a group together",
        cheapest_edits,
        edits_schema,
        edits.COLUMNS,
        _COSTS,
    ),
    "phonetic_alignment": RelationFunction(
        "of the two texts of a group an alignment by their sounds, with splits and merges: block, left, right (how "
        "many words), correct; fed side (0, 1), text, sounds and the columns of the group, rows of a group together",
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
        "of the common runs of two sequences the most that follow each other on both sides: pairs of their symbols; "
        "fed left_place, right_place (where each begins) and the columns of the group, rows of a group together",
        longest_chain,
        chain_schema,
        chains.COLUMNS,
        {"anchor_words": Setting(WHOLE, 0, 1e6)},
    ),
    "cheapest_branches": RelationFunction(
        "of the alternatives in two texts those of the cheapest alignment: side, alternation, branch; fed side (0, 1), "
        "text, optional, alternation, branch and the columns of the group, rows of a group together",
        cheapest_branches,
        branches_schema,
        branches.COLUMNS,
        _COSTS,
    ),
    "best_matching": RelationFunction(
        "of the pairs of a group, those of a one-to-one matching of the most pairs, then of the largest sums of "
        "gain_1, gain_2, gain_3; fed left_row, right_row, the three gains and the columns of the group, rows of a "
        "group together",
        best_matching,
        matching_schema,
        assignment.COLUMNS,
    ),
    "first_best_matching": RelationFunction(
        "of the pairs of a group, those of the first one-to-one matching of the largest sums of gain_1, gain_2, …, or "
        "without gains those that can be taken in order; fed left_row, right_row, the gains and the columns of the "
        "group, rows of a group together and in order",
        first_best_matching,
        first_matching_schema,
        matching.columns,
    ),
    "pool_adjacent_violators": RelationFunction(
        "the blocks of the best share of positives that does not fall along the rows: low and high (first and last "
        "score), positives and negatives; fed score, positives, negatives and the columns of the group, rows of a "
        "group together and in order",
        pool_adjacent_violators,
        blocks_schema,
        isotonic.COLUMNS,
    ),
    "rmse": RelationFunction(
        "the root mean squared error of each sequence against its reference: compared (the name x), comparable, rmse, "
        "channel_rmse, shape, reference_shape, fault, reference_fault; fed pairs of columns x and reference_x",
        rmse,
        rmse_schema,
        paired_columns,
        {"broadcast": Setting(TRUTH)},
        grouped=False,
    ),
    "resample_to_longer": RelationFunction(
        "the rows, with the shorter of each sequence and its reference interpolated to as many frames as the longer "
        "has; fed pairs of columns x and reference_x",
        resample_to_longer,
        resampling_schema,
        paired_columns,
        grouped=False,
    ),
    "channel_means": RelationFunction(
        "the rows, with the means over the channels of each frame in mean_x where they are not given; fed x and mean_x",
        channel_means,
        means_schema,
        mean_columns,
        grouped=False,
    ),
    "log_mel": RelationFunction(
        "the rows, with log_mel made of signal (at rate) where it is not given, and reference_log_mel of "
        "reference_signal; fed these",
        log_mel,
        log_mel_schema,
        spectrograms.COLUMNS,
        spectrograms.SETTINGS,
        grouped=False,
    ),
    "differences": RelationFunction(
        "first and third, the differences of a sequence from frame to frame, and shape and fault; fed sequence",
        differences,
        differences_schema,
        SEQUENCES,
        grouped=False,
    ),
}
