{# The distinct occurrences, each with the number of its trial, if trials are segments or documents: the first segment
   that contains the whole occurrence, or the document; NULL if there is none. #}
{% import "term_detection/shared/times.jinja" as time with context %}
SELECT query, occurrence_.doc, occurrence_.channel,
    onset_s, offset_s, min(trial) AS trial
FROM (SELECT DISTINCT query, doc, channel, onset_s, offset_s FROM {{ located_occurrences }}) AS occurrence_
LEFT JOIN {{ trial_spans }} AS trial_
    ON {{ time.holds("trial_", "occurrence_") }}
GROUP BY ALL
