{# The phone tokens that are not silence, numbered from 0 within their recording, each with its utterance. An utterance
   is identified by its onset. Phones whose label is in the parameter `silence` (SIL, SPN) are silence.

   If the input `utterances` is given, the utterance of a phone is the one that contains the phone (parameter `inside`),
   or NULL if there is none. Otherwise an utterance is a longest sequence of phones without silence in which every phone
   begins at most `pause` (1 ms) after the end of the previous phone. #}
{% import "term_discovery/shared/folds.jinja" as folds with context %}
WITH tokens AS (
    SELECT file, {{ times.value }}(onset) AS onset, {{ times.value }}("offset") AS "offset", label, code,
        label IN {{ silence }} AS silent
    FROM {{ phones }}
    JOIN {{ phone_codes }} USING (label)
),
breaks AS (
    SELECT *, coalesce(lag(silent) OVER in_file OR onset > lag("offset") OVER in_file + {{ times.value }}({{ pause }}), true) AS begins
    FROM tokens
    WINDOW in_file AS (PARTITION BY file ORDER BY onset, "offset")
),
runs AS (
    SELECT *, count_if(begins) OVER (PARTITION BY file ORDER BY onset, "offset" ROWS UNBOUNDED PRECEDING) AS run
    FROM breaks
),
numbered AS (
    SELECT * EXCLUDE (silent, begins), row_number() OVER (PARTITION BY file ORDER BY onset, "offset") - 1 AS number
    FROM runs
    WHERE NOT silent
)
{% if utterances.given %}
SELECT phone_.* EXCLUDE (run), CASE WHEN {{ folds.ends_in("phone_", "utterance_") }} THEN utterance_.onset END AS utterance
FROM numbered AS phone_
ASOF LEFT JOIN (
    SELECT file, {{ times.value }}(onset) AS onset, {{ times.value }}("offset") AS "offset" FROM {{ utterances }}
) AS utterance_
    ON phone_.file = utterance_.file
    AND {{ folds.begins_in("phone_", "utterance_") }}
{% else %}
SELECT * EXCLUDE (run), min(onset) OVER (PARTITION BY file, run) AS utterance
FROM numbered
{% endif %}
