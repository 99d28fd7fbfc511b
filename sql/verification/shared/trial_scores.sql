{# The trials with their scores. Without the input `trials`, they are the rows of `scores`. #}
SELECT model, segment, speaker, test_speaker, target, listed, line,
    ranked_score(score) AS score, calibrated(score, {{ score_scale }}, {{ score_offset }}) AS llr,
    target::TINYINT AS targets, (NOT target)::TINYINT AS nontargets
FROM (
{% if trials.given %}
    SELECT trial.model, trial.segment, trial.speaker, trial.test_speaker, trial.target, trial.line,
        score_.score IS NOT NULL AS listed,
        {{ "coalesce(score_.score, lowest)" if missing_scores.value == "lowest" else "score_.score" }} AS score
    FROM {{ trials }} AS trial
    LEFT JOIN {{ scores }} AS score_ ON score_.model = trial.model AND score_.segment = trial.segment
{{ "    CROSS JOIN " ~ lowest_score if missing_scores.value == "lowest" }}
{% else %}
    SELECT *, true AS listed FROM {{ scores }}
{% endif %}
)
