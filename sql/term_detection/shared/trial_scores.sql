{# The trials of the queries that have targets: for each score, the number of target trials (true) and of nontarget
   trials (false). Aligned detections are target trials and unaligned detections are nontarget trials, whatever their
   decisions.

   With score_set = all, the trials that the system does not list have the smallest submitted score (Eq 42), and all |Q|
   · n_tps · T_audio trials count (Eqs 41 and 43). With score_set = submitted, only the listed trials count (Eq 38).
   `excess_detections`: there are more unaligned detections than nontarget trials. #}
WITH listed AS (
    SELECT score, true_trials, false_trials FROM {{ score_weights }} WHERE has_targets
)
SELECT score, true_trials, false_trials, false AS excess_detections FROM listed
{% if score_set.value == "all" %}
UNION ALL
SELECT smallest_score, targets - coalesce(aligned, 0), nontargets - coalesce(unaligned, 0),
    coalesce(unaligned, 0) > nontargets
FROM (SELECT sum(targets) AS targets, sum(nontargets) AS nontargets FROM {{ query_sizes }} WHERE targets > 0)
CROSS JOIN (SELECT sum(true_trials) AS aligned, sum(false_trials) AS unaligned FROM listed)
CROSS JOIN {{ smallest_score }}
{% endif %}
