{# The phases index and search, each with its CPU hours (wall hours times cores where CPU hours are not given), summed
   over its measurements, its peak memory, the duration of the audio T_Ω and that of all query examples T_Q (Eq 47),
   both in hours. ISF, SSF (Eq 46) and processing load (Eq 48) are computed from these. #}
{% import "term_detection/times.jinja" as time %}
SELECT {{ scope }}phase, exact_sum(coalesce(cpu_hours, wall_hours * cores))::DOUBLE AS cpu_hours, max(peak_gb) AS peak_gb,
    (SELECT sum(length) / 3600e6 FROM {{ time.lengths(audio, "") }}) AS audio_hours,
    (SELECT sum(microseconds(dur)) / 3600e6 FROM {{ query_examples }}) AS query_hours,
    {{ lambda }} AS "lambda"
FROM {{ measurements }}
GROUP BY {{ scope }}phase
