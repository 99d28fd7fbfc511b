{# The trials of the queries that have targets, by score: how many are true (targets) and how many false. Trials that no
   system lists have the smallest score (Eq 43); score_set = submitted leaves them out (Eq 38). `overfull`: more
   unaligned detections are listed than there are trials, so that a number of the others would be negative. #}
WITH listed AS (
    SELECT {{ scope }}ranked_score(score) AS score, count_if(target) AS true_trials, count_if(NOT target) AS false_trials
    FROM {{ scored_detections }}
    WHERE has_targets
    GROUP BY ALL
)
SELECT {{ scope }}score, true_trials::DOUBLE AS true_trials, false_trials::DOUBLE AS false_trials, false AS overfull FROM listed
{% if score_set.value == "all" %}
UNION ALL
SELECT {{ scope }}smallest_score, targets - coalesce(aligned, 0), nontargets - coalesce(unaligned, 0),
    coalesce(unaligned, 0) > nontargets
FROM (
    SELECT {{ scope }}true AS here, sum(targets) AS targets, sum(nontargets) AS nontargets
    FROM {{ query_sizes }}
    WHERE targets > 0
    GROUP BY ALL
)
LEFT JOIN (
    SELECT {{ scope }}true AS here, sum(true_trials) AS aligned, sum(false_trials) AS unaligned FROM listed GROUP BY ALL
) USING ({{ scope }}here)
CROSS JOIN (SELECT smallest_score FROM {{ operating_point }})
{% endif %}
