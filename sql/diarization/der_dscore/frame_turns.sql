{# Times are binary64 numbers in seconds as in dscore, because the sum of a start and a duration can be slightly above or
   below the time of a frame. dscore refuses turns without a duration. #}
WITH given AS (
    SELECT 'reference' AS side, doc, speaker, tbeg AS onset, tbeg + dur AS "offset" FROM {{ reference }} WHERE dur > 0
    UNION ALL
    SELECT 'hypothesis', doc, speaker, tbeg, tbeg + dur FROM {{ hypothesis }} WHERE dur > 0
),
regions AS (
{% if uem.given %}
    SELECT doc, onset, "offset", max("offset") OVER (PARTITION BY doc) AS last_offset FROM {{ uem }}
{% else %}
    SELECT doc, min(onset) AS onset, max("offset") AS "offset", max("offset") AS last_offset FROM given GROUP BY doc
{% endif %}
)
SELECT side, turn_.doc, speaker,
    first_frame(greatest(turn_.onset, region_.onset), {{ step }}) AS onset,
    least(first_frame(least(turn_."offset", region_."offset"), {{ step }}),
        trunc(last_offset / {{ step }})::BIGINT) AS "offset"
FROM given AS turn_
JOIN regions AS region_ USING (doc)
WHERE turn_.onset < region_."offset" AND region_.onset < turn_."offset"
