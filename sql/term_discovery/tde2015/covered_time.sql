{# The time of the fragments (found) and of the n-grams of the corpus (gold), each as intervals apart from each other:
   what nearly meets is one, with the gap. #}
{% import "term_discovery/tde2015/runs.jinja" as runs with context %}
WITH covering AS (
    SELECT DISTINCT {{ scope }}file, onset, "offset", true AS found FROM {{ fold_fragments }}
    UNION ALL
    SELECT {{ scope }}file, onset, "offset", false FROM {{ fold_stretches }}
),
reached AS (
    SELECT *, max("offset") OVER before AS reach
    FROM covering
    WINDOW before AS (PARTITION BY {{ scope }}found, file ORDER BY onset, "offset" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
numbered AS (
    SELECT *, count_if(reach IS NULL OR onset > reach AND NOT {{ runs.meets("reach", "onset") }})
        OVER (PARTITION BY {{ scope }}found, file ORDER BY onset, "offset" ROWS UNBOUNDED PRECEDING) AS stretch
    FROM reached
)
SELECT {{ scope }}found, file, min(onset) AS onset, max("offset") AS "offset"
FROM numbered
GROUP BY {{ scope }}found, file, stretch
