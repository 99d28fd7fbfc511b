{# The largest possible rank error, at which the score semantic_rank is 0: the number of labels − 1, or the parameter
   `rank_span` (4311 in articubench). #}
SELECT if({{ rank_span }} > 0, {{ rank_span }}, count(*) - 1) AS span FROM {{ labels }}
