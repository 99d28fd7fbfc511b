{# The duration of the audio that is searched, T_audio, and the number of trials of one query: n_tps · T_audio if
   trials are virtual (Eq 2), otherwise the number of segments or documents. #}
{% import "term_detection/shared/times.jinja" as time %}
WITH durations AS (
{% if audio_time.value == "documents" %}
    -- As in F4DE, the channels of a document are ignored, and an excerpt ends where the next excerpt begins. The unit is
    -- half a microsecond, because excerpts of type splitcts count half.
    SELECT (least(onset + size, coalesce(lead(onset) OVER document, onset + size)) - onset)
        * if(source_type = 'splitcts', 1, 2) AS halves
    FROM (SELECT *, microseconds(tbeg) AS onset, microseconds(dur) AS size FROM {{ audio }})
    WINDOW document AS (PARTITION BY doc ORDER BY onset, size)
{% else %}
    SELECT 2 * length AS halves FROM {{ time.lengths(audio) }}
{% endif %}
),
sizes AS (
    SELECT sum(halves) / 2e6 AS seconds FROM durations
)
{% if trials.value == "virtual" %}
SELECT *, {{ "round_even(" ~ n_tps ~ " * seconds, 0)" if whole_trials.value else n_tps ~ " * seconds" }} AS trials, {{ trials }} AS kind,
    NULL::BIGINT AS speech_trials
FROM sizes
{% else %}
SELECT seconds, count(trial)::DOUBLE AS trials, {{ trials }} AS kind,
    {{ "count_if(spoken)" if trials.value == "segment" else "NULL::BIGINT" }} AS speech_trials
FROM sizes AS size_
LEFT JOIN {{ trial_spans }} AS trial_ ON true
GROUP BY ALL
{% endif %}
