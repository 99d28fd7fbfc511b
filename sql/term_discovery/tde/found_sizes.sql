{# The sizes of what was found in each fold: clusters with members there, distinct fragments, distinct transcriptions
   and pairs of P_disc. Each row has the sizes of one set. #}
SELECT {{ scope }}count(DISTINCT cluster) AS clusters FROM {{ fold_members }} GROUP BY ALL
UNION ALL BY NAME
SELECT {{ scope }}count(*) AS fragments, count(DISTINCT text) AS types FROM {{ disc_fragments }} GROUP BY ALL
UNION ALL BY NAME
SELECT {{ scope }}sum(pairs) AS pairs FROM {{ disc_pairs }} GROUP BY ALL
