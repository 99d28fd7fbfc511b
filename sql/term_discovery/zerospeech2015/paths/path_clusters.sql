{# The clusters, each with the number of pairs of sub-spans that its minimal paths can have at most (`most_pairs`). A
   cluster with more than `max_path_pairs` of them is refused, because the pairs are listed. So is a cluster with a
   fragment of more than `max_path_phones` phones, because an edit graph has a node for each pair of their phones.

   A fragment of n phones has s = n + (n − 1) + … sub-spans, with one term for each size from the smallest
   (`found_min_phones`) to `max_phones`. All pairs of sub-spans of two fragments are s_a·s_b, and the sum over all two fragments of a cluster is
   ((Σ s)² − Σ s²) / 2. For example, two fragments of 4 phones have 2 + 1 = 3 sub-spans of 3 and 4 phones each, so at
   most 9 pairs. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
{% set fewest = subspans.fewest() %}
WITH members AS (
    SELECT *, length(text) AS phones, least(length(text), {{ max_phones }}) AS longest_size
    FROM {{ cluster_members }}
    WHERE length(text) >= {{ fewest }}
),
counted AS (
    SELECT *, (longest_size - {{ fewest }} + 1) * (2 * phones - longest_size - {{ fewest }} + 2) // 2 AS subspans FROM members
),
clusters AS (
    SELECT cluster, pair_speaker, count(*) AS members, count(DISTINCT text) AS types,
        min(phones) AS shortest, max(phones) AS longest, (sum(subspans) * sum(subspans) - sum(subspans * subspans)) // 2 AS pairs
    FROM counted
    GROUP BY ALL
)
SELECT * EXCLUDE (pairs), format('{:,}', pairs) AS most_pairs, pairs > {{ max_path_pairs }} AS too_many,
    format('{:,}', {{ max_path_pairs }}) AS allowed_pairs, longest > {{ max_path_phones }} AS too_long, {{ max_path_phones }} AS allowed_phones
FROM clusters
