{# The numbers of clusters with members in the fold, of distinct fragments, of distinct transcriptions and of pairs of
   P_disc. Each row has the sizes of one set, and the metric `sizes` adds up the rows. #}
SELECT count(DISTINCT cluster) AS clusters FROM {{ fold_fragments }}
UNION ALL BY NAME
SELECT count(*) AS fragments, count(DISTINCT text) AS types FROM {{ disc_fragments }}
UNION ALL BY NAME
SELECT sum(pairs) AS pairs FROM {{ disc_pairs }}
