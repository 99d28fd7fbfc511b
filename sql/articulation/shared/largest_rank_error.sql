{# The largest possible rank error, at which the score semantic_rank is 0: the number of labels − 1, or the parameter
   `rank_span` (4311 in articubench). #}
{% if rank_span.value > 0 %}
SELECT {{ rank_span }} AS span
{% else %}
SELECT count(*) - 1 AS span FROM {{ labels }}
{% endif %}
