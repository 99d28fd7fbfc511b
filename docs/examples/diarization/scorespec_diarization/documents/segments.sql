{# Every boundary cuts the time line of its recording. A piece is scored if it lies in a region and in no collar. #}
WITH
regions AS (
{% if regions.given %}
    SELECT doc, microseconds(onset) AS onset, microseconds("offset") AS "offset" FROM {{ regions }}
{% else %}
    SELECT doc, min(onset) AS onset, max("offset") AS "offset" FROM {{ turns }} GROUP BY doc
{% endif %}
),
collars AS (
    SELECT doc, boundary - microseconds({{ collar }}) AS onset, boundary + microseconds({{ collar }}) AS "offset"
    FROM (SELECT doc, unnest([onset, "offset"]) AS boundary FROM {{ turns }} WHERE side = 'reference')
    WHERE {{ collar }} > 0
),
boundaries AS (
    SELECT DISTINCT doc, unnest([onset, "offset"]) AS boundary
    FROM (
        SELECT doc, onset, "offset" FROM {{ turns }}
        UNION ALL FROM regions
        UNION ALL FROM collars
    )
),
pieces AS (
    SELECT doc, boundary AS onset, lead(boundary) OVER (PARTITION BY doc ORDER BY boundary) AS "offset"
    FROM boundaries
)
SELECT doc, onset, "offset" - onset AS duration
FROM pieces
SEMI JOIN regions
    ON pieces.doc = regions.doc AND pieces.onset >= regions.onset AND pieces."offset" <= regions."offset"
ANTI JOIN collars
    ON pieces.doc = collars.doc AND pieces.onset >= collars.onset AND pieces."offset" <= collars."offset"
