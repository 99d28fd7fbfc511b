{# The distinct occurrences, each with the number of its trial, if trials are segments or documents: the first segment
   that contains the whole occurrence, or the document; NULL if there is none. #}
{% import "term_detection/shared/times.jinja" as time %}
SELECT {% for column in scope_columns %}occurrence_.{{ column | name }}, {% endfor %}query, occurrence_.doc, occurrence_.channel,
    onset_s, offset_s, min(trial) AS trial
FROM (SELECT DISTINCT {{ scope }}query, doc, channel, onset_s, offset_s FROM {{ located_occurrences }}) AS occurrence_
LEFT JOIN {{ trial_spans }} AS trial_
    ON {{ time.holds("trial_", "occurrence_", trials) }}{{ same("occurrence_", located_occurrences, "trial_", trial_spans) }}
GROUP BY ALL
