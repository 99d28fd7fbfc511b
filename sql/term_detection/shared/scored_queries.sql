{# The scored queries (Q), each with the weight of one hit and of one false alarm in the rates averaged over queries. A
   hit of q weighs 1 / (N_act(q) · |Q|), so that the sum over all hits is 1 − P_miss (Eqs 1 and 4). A false alarm weighs
   1 / (N_nt(q) · |Q|), so that the sum over all false alarms is P_fa (Eqs 3 and 5).

   Weights are whole numbers in units of 2^-90. Sums of whole numbers do not depend on the order of rows; sums of
   binary64 fractions such as 1/3 do. With three queries, a hit of a query with 5 occurrences weighs 2^90 // 15.

   With include_queries_without_targets, P_fa is averaged over all queries and P_miss over the queries with a target.
   With pooled, all queries are one block with the trials of one query. A block without nontarget trials has no false
   alarm rate, and its false alarms weigh 0: P_fa is averaged over the other blocks. #}
WITH blocks AS (
    SELECT *,
{% if pooled.value %}
        '' AS block, sum(targets) OVER () AS block_targets, targets + nontargets - sum(targets) OVER () AS block_nontargets,
        1 AS targeted, 1 AS rated
{% else %}
        query AS block, targets AS block_targets, nontargets AS block_nontargets,
        count_if(targets > 0) OVER () AS targeted, count_if(nontargets > 0) OVER () AS rated
{% endif %}
    FROM {{ query_sizes }}
{% if not (pooled.value or include_queries_without_targets.value) %}
    WHERE targets > 0
{% endif %}
)
SELECT query, targets, nontargets, block, block_targets, block_nontargets,
    if(block_targets > 0, one_weight() // (block_targets * targeted), NULL) AS hit_weight,
    if(block_nontargets > 0, round_even(one_weight()::DOUBLE / (block_nontargets * rated), 0)::HUGEINT, 0) AS false_alarm_weight
FROM blocks
