{# The time of fragments (found) and the time of spans that recur in the corpus (gold), as intervals that do not
   overlap. Intervals that overlap, or whose gap is within the tolerance (`gap_time`, `gap_fraction`), are merged. The
   gap then counts as covered.

   The published coverage counts the phones of fragments in pairs of P_disc; tde 0.2.1 counts the time of all
   fragments. #}
{% import "term_discovery/tde2015/contiguous.jinja" as gaps with context %}
WITH covering AS (
    SELECT DISTINCT file, onset, "offset", true AS found FROM {{ fold_fragments }}
    UNION ALL
    SELECT file, onset, "offset", false FROM {{ fold_stretches }}
),
reached AS (
    SELECT *, max("offset") OVER before AS reach
    FROM covering
    WINDOW before AS (PARTITION BY found, file ORDER BY onset, "offset" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
numbered AS (
    SELECT *, count_if(reach IS NULL OR onset > reach AND NOT {{ gaps.contiguous("reach", "onset") }})
        OVER (PARTITION BY found, file ORDER BY onset, "offset" ROWS UNBOUNDED PRECEDING) AS stretch
    FROM reached
)
SELECT found, file, min(onset) AS onset, max("offset") AS "offset"
FROM numbered
GROUP BY found, file, stretch
