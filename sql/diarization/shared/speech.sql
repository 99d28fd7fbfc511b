{# The segments of a turn are those from its first boundary to its last one. #}
WITH covered AS (
    SELECT side, turn_.doc, speaker, unnest(range(first_.segment, last_.segment)) AS segment
    FROM {{ speaking }} AS turn_
    JOIN {{ timeline }} AS first_ ON turn_.doc = first_.doc AND turn_.onset = first_.boundary
    JOIN {{ timeline }} AS last_ ON turn_.doc = last_.doc AND turn_."offset" = last_.boundary
)
{% if own_overlap.value == "count" %}
SELECT side, doc, speaker, segment, count(*) AS turns FROM covered GROUP BY ALL
{% else %}
SELECT side, doc, speaker, segment, 1 AS turns FROM covered
{% endif %}
