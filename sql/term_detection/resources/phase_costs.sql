{# The phases index and search, each with its CPU hours (wall hours times cores if CPU hours are not given), summed over
   its measurements; its peak memory; and, in hours, the duration T_Ω of the audio and the duration T_Q of all query
   examples (Eq 47). ISF, SSF (Eq 46) and the processing load (Eq 48) are computed from these. #}
{% import "term_detection/shared/times.jinja" as time %}
SELECT phase, exact_sum(coalesce(cpu_hours, wall_hours * cores))::DOUBLE AS cpu_hours, max(peak_gb) AS peak_gb,
    (SELECT sum(length) / 3600e6 FROM {{ time.lengths(audio) }}) AS audio_hours,
    (SELECT sum(microseconds(dur)) / 3600e6 FROM {{ query_examples }}) AS query_hours,
    {{ lambda }} AS "lambda"
FROM {{ measurements }}
GROUP BY phase
