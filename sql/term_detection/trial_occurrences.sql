{# Each occurrence with its trial, the first that holds it whole, or its document. #}
SELECT {% for column in scope_columns %}occurrence_.{{ column | name }}, {% endfor %}query, occurrence_.doc, occurrence_.channel,
    onset_s, offset_s, min(trial) AS trial
FROM (SELECT DISTINCT {{ scope }}query, doc, channel, onset_s, offset_s FROM {{ located_occurrences }}) AS occurrence_
LEFT JOIN {{ trial_spans }} AS trial_
    ON occurrence_.doc = trial_.doc{{ same("occurrence_", located_occurrences, "trial_", trial_spans) }}
{% if trials.value == "segment" %}
    AND occurrence_.channel = trial_.channel
    AND microseconds(onset_s) >= trial_.onset AND microseconds(offset_s) <= trial_."offset"
{% endif %}
GROUP BY ALL
