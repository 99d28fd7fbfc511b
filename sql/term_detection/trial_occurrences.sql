{# The distinct occurrences with the number of their trial, where trials are segments or documents: the first segment
   that contains the whole occurrence, or its document; NULL where there is none. #}
{% import "term_detection/times.jinja" as time %}
SELECT {% for column in scope_columns %}occurrence_.{{ column | name }}, {% endfor %}query, occurrence_.doc, occurrence_.channel,
    onset_s, offset_s, min(trial) AS trial
FROM (SELECT DISTINCT {{ scope }}query, doc, channel, onset_s, offset_s FROM {{ located_occurrences }}) AS occurrence_
LEFT JOIN {{ trial_spans }} AS trial_
    ON {{ time.holds("trial_", "occurrence_", trials) }}{{ same("occurrence_", located_occurrences, "trial_", trial_spans) }}
GROUP BY ALL
