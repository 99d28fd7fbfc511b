{# The numbers of clusters, members, fragments, pairs, transcriptions and words. Each row has the sizes of one set, and
   the metric `sizes` adds up the rows. #}
SELECT count(DISTINCT cluster) AS clusters, count(*) AS members FROM {{ fold_fragments }}
UNION ALL BY NAME
SELECT count(*) AS fragments, count(*) FILTER (WHERE first_phone IS NULL) AS fragments_empty
FROM {{ fragment_spans }}
UNION ALL BY NAME
SELECT sum(pairs) AS pairs FROM {{ cluster_pairs }}
UNION ALL BY NAME
SELECT count(DISTINCT text) AS types FROM {{ fragment_texts }}
UNION ALL BY NAME
SELECT count(*) AS words, count(DISTINCT label) AS word_types FROM {{ word_tokens }}
