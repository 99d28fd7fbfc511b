{# The regions of `uem`. A recording without a region is scored from its first to its last boundary, unless `listed_only`
   says otherwise. #}
WITH extents AS (
    SELECT doc, min(onset) AS onset, max("offset") AS "offset"
    FROM {{ given_turns }}
{% if default_region.value == "reference" %}
    WHERE side = 'reference'
{% endif %}
    GROUP BY doc
)
{% if uem.given %}
SELECT doc, microseconds(onset) AS onset, microseconds("offset") AS "offset"
FROM {{ uem }}
{% if not listed_only.value %}
UNION ALL
SELECT doc, onset, "offset" FROM extents ANTI JOIN {{ uem }} USING (doc)
{% endif %}
{% else %}
FROM extents
{% endif %}
