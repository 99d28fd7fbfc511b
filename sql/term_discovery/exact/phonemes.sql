{# The phone tokens that are speech, in integer microseconds, numbered within their file from 0, each with its
   utterance: a run without a pause and without silence, or that of the input `utterances` which holds its
   midpoint (NULL where none does). #}
WITH tokens AS (
    SELECT {{ scope }}file, microseconds(onset) AS onset, microseconds("offset") AS "offset", label, code,
        label IN {{ silence }} AS silent
    FROM {{ phones }}
    JOIN {{ phone_codes }} USING (label)
),
breaks AS (
    SELECT *, coalesce(lag(silent) OVER in_file OR onset > lag("offset") OVER in_file + microseconds({{ pause }}), true) AS begins
    FROM tokens
    WINDOW in_file AS (PARTITION BY {{ scope }}file ORDER BY onset, "offset")
),
runs AS (
    SELECT *, count_if(begins) OVER (PARTITION BY {{ scope }}file ORDER BY onset, "offset" ROWS UNBOUNDED PRECEDING) AS run
    FROM breaks
),
numbered AS (
    SELECT * EXCLUDE (silent, begins), row_number() OVER (PARTITION BY {{ scope }}file ORDER BY onset, "offset") - 1 AS number
    FROM runs
    WHERE NOT silent
)
{% if utterances.given %}
SELECT phone_.* EXCLUDE (run),
    CASE WHEN phone_.onset + phone_."offset" < 2 * utterance_."offset" THEN utterance_.onset END AS utterance
FROM numbered AS phone_
ASOF LEFT JOIN (
    SELECT {{ shared(utterances) }}file, microseconds(onset) AS onset, microseconds("offset") AS "offset", 2 * microseconds(onset) AS twice_onset
    FROM {{ utterances }}
) AS utterance_
    ON phone_.file = utterance_.file{{ same("phone_", phones, "utterance_", utterances) }}
    AND phone_.onset + phone_."offset" >= utterance_.twice_onset
{% else %}
SELECT * EXCLUDE (run), min(onset) OVER (PARTITION BY {{ scope }}file, run) AS utterance
FROM numbered
{% endif %}
