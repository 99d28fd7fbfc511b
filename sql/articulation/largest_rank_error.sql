{# The largest possible rank error, when all other labels are nearer: the number of labels − 1, or the parameter
   `rank_span` (4311 in articubench). It is the 0 of the score semantic_rank. #}
SELECT if({{ rank_span }} > 0, {{ rank_span }}, count(*) - 1) AS span FROM {{ labels }}
