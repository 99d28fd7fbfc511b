{# The occurrences by islands: stretches of a document and channel in which the middle of a detection of the query
   is near some occurrence. What happens in one island is nothing to the others. #}
{% import "term_detection/shared/times.jinja" as time %}
WITH extended AS (
    SELECT {{ scope }}query, doc, channel, onset_s, offset_s,
        {{ time.reach_from("onset", tolerance, times) }} AS reach_from,
        {{ time.reach_to('"offset"', tolerance, times) }} AS reach_to
    FROM {{ targets }}
),
parted AS (
    SELECT *, coalesce(reach_from > max(reach_to) OVER before, true) AS begins
    FROM extended
    WINDOW before AS (PARTITION BY {{ scope }}query, doc, channel ORDER BY reach_from, reach_to
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
numbered AS (
    SELECT * EXCLUDE (begins),
        count_if(begins) OVER (ORDER BY {{ scope }}query, doc, channel, reach_from, begins DESC, reach_to ROWS UNBOUNDED PRECEDING) AS island
    FROM parted
)
SELECT *, row_number() OVER (PARTITION BY island ORDER BY reach_from, reach_to) AS occurrence,
    min(reach_from) OVER (PARTITION BY island) AS island_from, max(reach_to) OVER (PARTITION BY island) AS island_to
FROM numbered
