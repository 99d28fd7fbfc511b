{# The trials in steps of neighbouring scores, over which thresholds are tried. The naive way tries every score. Between
   the scores of two targets there are only nontargets, so that the DET curve is straight there: a threshold inside is
   never the best one, and the two rates cross on the straight line. With targets at 0.9 and 0.5 and nontargets at 0.8,
   0.7 and 0.3, the steps are {0.9}, {0.8, 0.7}, {0.5} and {0.3}. tests/conformance/test_verification.py compares the
   two ways.

   With eer_crossing=nearest each score is a step, because the equal error rate is then the rate at one threshold. #}
SELECT min(trial.score) AS score, sum(targets)::BIGINT AS targets, sum(nontargets)::BIGINT AS nontargets
FROM {{ score_counts }} AS trial
{% if eer_crossing.value == "nearest" %}
GROUP BY trial.score
{% else %}
ASOF LEFT JOIN (SELECT DISTINCT score FROM {{ score_counts }} WHERE target) AS step_ ON trial.score >= step_.score
GROUP BY step_.score, trial.score > step_.score
{% endif %}
