{# The queries that count (Q), and what one hit and one false alarm of each weigh in the mean over queries: 2^90 stands
   for a miss rate or a false alarm rate of 1, so that running sums are exact. Pooled, all queries are one block. A
   block without trials beside its occurrences has no rate of false alarms, so that these weigh nothing. #}
WITH blocks AS (
    SELECT *,
{% if pooled.value %}
        '' AS block, sum(targets) OVER in_scope AS block_targets, targets + nontargets - sum(targets) OVER in_scope AS block_nontargets,
        1 AS targeted, 1 AS blocks
{% else %}
        query AS block, targets AS block_targets, nontargets AS block_nontargets,
        count_if(targets > 0) OVER in_scope AS targeted, count(*) OVER in_scope AS blocks
{% endif %}
    FROM {{ query_sizes }}
{% if not (pooled.value or include_queries_without_targets.value) %}
    WHERE targets > 0
{% endif %}
    WINDOW in_scope AS ({{ "PARTITION BY " ~ (scope_columns | names) if scope_columns }})
)
SELECT {{ scope }}query, targets, nontargets, block, block_targets, block_nontargets,
    if(block_targets > 0, one_weight() // (block_targets * targeted), NULL) AS hit_weight,
    if(block_nontargets > 0, round_even(one_weight()::DOUBLE / (block_nontargets * blocks), 0)::HUGEINT, 0) AS false_alarm_weight
FROM blocks
