{# The largest possible rank error, when all other labels are nearer: the number of labels − 1, or the parameter
   `rank_span` (4311 in articubench). It is the 0 of the score semantic_rank. #}
SELECT {{ rank_span if rank_span.value > 0 else "count(*) - 1" }} AS span FROM {{ labels }}{{ " LIMIT 1" if rank_span.value > 0 }}
