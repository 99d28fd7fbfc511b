{# The queries that count (Q), and what one hit and one false alarm of each weigh in the mean over queries: 2^90 stands
   for a miss rate or a false alarm rate of 1, so that running sums are exact. Pooled, all queries are one block. #}
{% set one = "1237940039285380274899124224::HUGEINT" %}
SELECT *,
{% if pooled.value %}
    '' AS block, if(sum(targets) OVER in_scope > 0, {{ one }} // sum(targets) OVER in_scope, NULL) AS hit_weight,
    round_even({{ one }}::DOUBLE / (targets + nontargets - sum(targets) OVER in_scope), 0)::HUGEINT AS false_alarm_weight
{% else %}
    query AS block, if(targets > 0, {{ one }} // (targets * count_if(targets > 0) OVER in_scope), NULL) AS hit_weight,
    round_even({{ one }}::DOUBLE / (nontargets * count(*) OVER in_scope), 0)::HUGEINT AS false_alarm_weight
{% endif %}
FROM {{ query_sizes }}
{% if not (pooled.value or include_queries_without_targets.value) %}
WHERE targets > 0
{% endif %}
WINDOW in_scope AS ({{ "PARTITION BY " ~ (scope_columns | names) if scope_columns }})
