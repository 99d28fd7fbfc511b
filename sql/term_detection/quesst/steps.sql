{# The trials in groups between which a threshold may be best: those at the score of a target, and those above it
   but below the next. Weights are whole numbers that add up to about 2^90, so that sums are exact. `rejected` is the
   largest score below the group: its trials are YES when the threshold is this or lower. The last row, of no trial,
   stands for rejecting all. #}
{% set same_scope %}{% if scope_columns %}PARTITION BY {{ scope_columns | names }} {% endif %}{% endset %}
WITH weights AS (
    SELECT {{ scope }}query,
        (1237940039285380274899124224::HUGEINT * 2 + queries * targets) // (2 * queries * targets) AS hit,
        (1237940039285380274899124224::HUGEINT * 2 + queries * nontargets) // nullif(2 * queries * nontargets, 0) AS false_alarm
    FROM (
        SELECT {{ scope }}query, targets::HUGEINT AS targets, (documents - targets)::HUGEINT AS nontargets,
            (count(*) OVER ({{ same_scope }}))::HUGEINT AS queries
        FROM {{ quesst_queries }} WHERE targets > 0
    )
),
grouped AS (
    SELECT {% for column in scope_columns %}trial.{{ column | name }}, {% endfor %}step.score AS step, coalesce(trial.score > step.score, false) AS above, trial.yes,
        max(trial.score) AS high,
        count(*) FILTER (WHERE trial.target) AS targets, count(*) FILTER (WHERE NOT trial.target) AS nontargets,
        coalesce(sum(hit) FILTER (WHERE trial.target), 0)::HUGEINT AS hit_weight,
        coalesce(sum(false_alarm) FILTER (WHERE NOT trial.target), 0)::HUGEINT AS false_alarm_weight
    FROM {{ quesst_trials }} AS trial
    ASOF LEFT JOIN (SELECT DISTINCT {{ scope }}score FROM {{ quesst_trials }} WHERE target) AS step
        ON trial.score >= step.score{{ same("trial", quesst_trials, "step", quesst_trials) }}
    JOIN weights ON weights.query = trial.query{{ same("trial", quesst_trials, "weights", quesst_queries) }}
    GROUP BY ALL
),
highest AS (
    SELECT {{ scope }}step, above, max(high) AS high FROM grouped GROUP BY ALL
),
below AS (
    SELECT {{ scope }}step, above, high, coalesce(lag(high) OVER ({{ same_scope }}ORDER BY step NULLS FIRST, above), '-inf'::DOUBLE) AS rejected
    FROM highest
)
SELECT {% for column in scope_columns %}grouped.{{ column | name }}, {% endfor %}below.rejected, below.high, grouped.yes,
    grouped.targets, grouped.nontargets, grouped.hit_weight, grouped.false_alarm_weight
FROM grouped JOIN below ON grouped.step IS NOT DISTINCT FROM below.step AND grouped.above = below.above{{ same("grouped", quesst_trials, "below", quesst_trials) }}
UNION ALL
SELECT {{ scope }}max(high), 'inf'::DOUBLE, false, 0, 0, 0, 0 FROM highest {% if scope_columns %}GROUP BY {{ scope_columns | names }}{% else %}HAVING count(*) > 0{% endif %}
