{# The trials of each query with the costs of their scores. A row of trial_costs without trials of a class has a cost of 0
   for it, and a score may have two rows there: listed trials, and trials that the system does not list. A row without
   trials has no score, and costs nothing. #}
SELECT {{ scope }}query, score, true_trials, false_trials, coalesce(true_bits, 0) AS true_bits,
    coalesce(false_bits, 0) AS false_bits
FROM (SELECT {{ scope }}query, score, true_trials, false_trials FROM {{ query_trials }})
LEFT JOIN (
    SELECT {{ scope }}score, max(true_bits) AS true_bits, max(false_bits) AS false_bits FROM {{ trial_costs }} GROUP BY ALL
) USING ({{ scope }}score)
