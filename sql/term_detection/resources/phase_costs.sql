{# What each phase took: CPU hours summed over its measurements, the largest peak of memory, and the audio and the
   query examples it was for, in hours. #}
{% import "term_detection/shared/times.jinja" as time %}
SELECT {{ scope }}phase, exact_sum(coalesce(cpu_hours, wall_hours * cores))::DOUBLE AS cpu_hours, max(peak_gb) AS peak_gb,
    (SELECT sum(length) / 3600e6 FROM {{ time.lengths(audio, "") }}) AS audio_hours,
    (SELECT sum(microseconds(dur)) / 3600e6 FROM {{ query_examples }}) AS query_hours,
    {{ lambda }} AS "lambda"
FROM {{ measurements }}
GROUP BY {{ scope }}phase
