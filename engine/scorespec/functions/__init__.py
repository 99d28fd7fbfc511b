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
    minimal_paths,
    phonetics,
    spectrograms,
    substitution,
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
from scorespec.functions.minimal_paths import minimal_path_pairs, paths_schema
from scorespec.functions.phonetics import Weights, phonetic_alignment, phonetic_schema
from scorespec.functions.spectrograms import log_mel, log_mel_schema
from scorespec.functions.substitution import substitute_text, substitution_schema
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
        "Edit distance of every two texts of a group. One row per pair: the product of the two weights, the "
        "distance, and the length of the longer text.",
        pairwise_edit_distance,
        distance_schema,
        distance.COLUMNS,
    ),
    "minimal_path_pairs": RelationFunction(
        "Pairs of substrings of text_a and text_b that lie on an edit path of least cost. One row per pair: where each "
        "substring begins, its size, and whether the two are equal.",
        minimal_path_pairs,
        paths_schema,
        minimal_paths.COLUMNS,
        {
            "min_size": Setting(WHOLE, 1, 2**31, nullable=True),
            "least_size": Setting(WHOLE, 1, 2**31),
            "max_size": Setting(WHOLE, 0, 2**31),
        },
        grouped=False,
    ),
    "cheapest_edits": RelationFunction(
        "Alignment of least cost of two texts (side 0 and 1), word by word: a block has at most one word of each text. "
        + edits.ABOUT_BLOCKS,
        cheapest_edits,
        edits_schema,
        edits.COLUMNS,
        _COSTS,
    ),
    "phonetic_alignment": RelationFunction(
        "Alignment of two texts (side 0 and 1) by the phones of their words, with splits and merges of words. "
        + edits.ABOUT_BLOCKS,
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
        "Longest chain of common runs of two sequences that have the same order on both sides. The input has one row "
        "per pair of places where a common run begins; the result has one row per pair of symbols in the chain.",
        longest_chain,
        chain_schema,
        chains.COLUMNS,
        {"anchor_words": Setting(WHOLE, 0, 1e6)},
    ),
    "cheapest_branches": RelationFunction(
        "Alternatives in two texts (side 0 and 1) that the alignment of least cost uses. One row per alternation, "
        "with its branch.",
        cheapest_branches,
        branches_schema,
        branches.COLUMNS,
        _COSTS,
    ),
    "best_matching": RelationFunction(
        "One-to-one matching of left rows to right rows with the most pairs; of such matchings, the one with the "
        "largest sums of gain_1, gain_2 and gain_3, in this order. One row per matched pair.",
        best_matching,
        matching_schema,
        assignment.COLUMNS,
    ),
    "first_best_matching": RelationFunction(
        "One-to-one matching of left rows to right rows with the largest sums of gain_1, gain_2 and so on, in this "
        "order; of equal matchings, the first in the order of the rows. Without gains, pairs are matched in order. "
        "One row per matched pair. It reads the columns left_row and right_row and all columns gain_…; all other "
        "columns together name a group.",
        first_best_matching,
        first_matching_schema,
        matching.columns,
    ),
    "pool_adjacent_violators": RelationFunction(
        "Isotonic fit of the share of positives along the rows, by pool adjacent violators (PAV). One row per block: "
        "its first and last score (low and high), and its numbers of positives and negatives.",
        pool_adjacent_violators,
        blocks_schema,
        isotonic.COLUMNS,
    ),
    "rmse": RelationFunction(
        "Root mean squared error (RMSE) of each sequence x against its reference. One row per input row and "
        "sequence, with the name x in the column compared. It reads every pair of columns x and reference_x.",
        rmse,
        rmse_schema,
        paired_columns,
        {"broadcast": Setting(TRUTH)},
        grouped=False,
    ),
    "resample_to_longer": RelationFunction(
        "Interpolates the shorter of each sequence x and its reference to the number of frames of the longer. One "
        "row per input row. It reads every pair of columns x and reference_x.",
        resample_to_longer,
        resampling_schema,
        paired_columns,
        grouped=False,
    ),
    "channel_means": RelationFunction(
        "Fills each mean_x that is NULL with the mean over the channels of each frame of x. One row per input row. "
        "It reads every pair of columns x and mean_x.",
        channel_means,
        means_schema,
        mean_columns,
        grouped=False,
    ),
    "log_mel": RelationFunction(
        "Fills log_mel, where it is NULL, with the log-mel spectrogram of signal (sampled at rate), and "
        "reference_log_mel with that of reference_signal. One row per input row.",
        log_mel,
        log_mel_schema,
        spectrograms.COLUMNS,
        spectrograms.SETTINGS,
        grouped=False,
    ),
    "differences": RelationFunction(
        "First and third differences of a sequence from frame to frame, with the shape of the sequence and its "
        "fault, if it has one. One row per input row.",
        differences,
        differences_schema,
        SEQUENCES,
        grouped=False,
    ),
    "substitute_text": RelationFunction(
        "Applies substitutions to texts, as NIST's rfilter1 does. One row per word of the new texts, with the words "
        "that it stands for.",
        substitute_text,
        substitution_schema,
        substitution.COLUMNS,
        grouped=False,
    ),
}
