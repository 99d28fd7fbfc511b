{# The transcriptions t of spans, with the number of spans with t, |match(t, P)|, in P_disc* (found) and in P_all
   (gold), and the number of ends of pairs with t, N(t, P), in P_disc*, in P_all and in P_disc* ∩ P_all (both).

   By definition, the pairs are listed and their ends counted (pairs/pairs_star.sql, pairs/pairs_all.sql). Here the ends
   in P_disc* are counted in three steps. Step 1: the number of partners of a sub-span of a member follows from the
   lengths of the members of the cluster (macro `partners`), and the sum over sub-spans of members is a first count.
   Step 2: that sum counts a pair of spans that is aligned in k ways k times, so k − 1 counts are subtracted
   (multiple_alignments). It also counts a span as its own partner, once for each ordered pair of two different classes
   of the span that are aligned with each other; these counts are subtracted, too. Step 3: the sum counts aligned
   sub-spans of members that overlap, which are not a pair of P_disc. So the pairs of near_subspans that are not found
   are subtracted. Steps 2 and 3 concern recounted_members only.

   The ends in both sets are counted in the same way, among spans of equal transcription in one utterance. Step 1 counts
   only repeated_subspans, because no other sub-span has a partner of equal transcription. In step 3, pairs of spans that
   overlap are also subtracted, because they are not in P_all.

   For example, cluster 2 has ab at 2.0 s, ab at 3.0 s and cd; cluster 3 has the same two ab and bc. Step 1 counts 2 + 2
   partners for each ab. The two ab are aligned in both clusters, so step 2 subtracts 1. Each ab has 3 partners, so 6
   ends of pairs have the transcription ab.

   With completion = minimal_paths, the pairs are listed (path_pairs), and each span has the number of its pairs.

   tests/conformance/test_zerospeech2015_pairs.py compares the two. #}
{% import "term_discovery/zerospeech2015/matching_types.jinja" as matching with context %}
{{ matching.types() }}
