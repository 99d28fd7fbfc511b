{# The trials of each query in groups between which its threshold may be best: those from the score of a target up to
   below its next. Below all targets the step is NULL. #}
SELECT {% for column in scope_columns %}trial.{{ column | name }}, {% endfor %}trial.query, step.score AS step,
    count(*) FILTER (WHERE trial.target) AS targets, count(*) FILTER (WHERE NOT trial.target) AS nontargets
FROM {{ quesst_trials }} AS trial
ASOF LEFT JOIN (SELECT DISTINCT {{ scope }}query, score FROM {{ quesst_trials }} WHERE target) AS step
    ON trial.query = step.query AND trial.score >= step.score{{ same("trial", quesst_trials, "step", quesst_trials) }}
GROUP BY ALL
