{# Definition of P_clus: every unordered pair of distinct fragments that have a cluster in common. With speakers =
   within, both fragments are of one speaker. With self_pairs = kept, as printed, a fragment is also a pair with itself.

   This query lists one row per pair. The closed form grouping_fragments.sql, which counts the partners of each
   fragment, must equal it; tests/conformance/test_zerospeech2015_pairs.py compares the two. The parameter
   overlapping_pairs of tde2015 changes only the closed form. #}
{% set columns = ["file", "onset", "offset", "text", "first_phone", "last_phone"] %}
SELECT DISTINCT {% for column in columns %}a.{{ column | name }} AS {{ column }}_a, b.{{ column | name }} AS {{ column }}_b{{ ", " if not loop.last }}{% endfor %}

FROM {{ cluster_members }} AS a
JOIN {{ cluster_members }} AS b USING (cluster, pair_speaker)
WHERE (a.file, a.onset, a."offset") {{ "<=" if self_pairs.value == "kept" else "<" }} (b.file, b.onset, b."offset")
