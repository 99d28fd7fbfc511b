{# The semantic rank of each synthesis: 1 + the number of labels whose vector is nearer to the recognised vector than the
   vector of the token's own label, by Euclidean distance. Rank 1 is best. With rank_ties = strict, labels that are
   equally near do not count as nearer. With table_order, as in articubench, equally near labels count as nearer if they
   come before the own label in the table. #}
{% import "articulation/shared/syntheses.jinja" as syntheses with context %}
WITH vectors AS (
    SELECT submission, task, token, label, semantic_vector, shape, fault
    FROM (
        {{ syntheses.rows(["semantic_vector"]) | indent(8) }}
    )
    JOIN {{ tokens }} USING (token)
    JOIN {{ semantic_rmse }} USING (submission, task, token)
), points AS (
    SELECT label, vector, row_number() OVER (ORDER BY line) AS place, len(vector) AS dimensions,
        count(*) OVER (PARTITION BY label) > 1 AS repeated
    FROM {{ labels }}
), own AS (
    SELECT vectors.*, place, dimensions, repeated,
        if(fault IS NULL AND len(semantic_vector) = dimensions, list_distance(semantic_vector, vector), NULL) AS distance
    FROM vectors
    JOIN points USING (label)
    QUALIFY row_number() OVER (PARTITION BY submission, task, token ORDER BY place) = 1
), nearer AS (
    SELECT submission, task, token, count(*) AS labels
    FROM own
    JOIN (SELECT vector, place AS other_place FROM points) ON distance IS NOT NULL
    WHERE list_distance(semantic_vector, vector) < distance
{% if rank_ties.value == "table_order" %}
        OR list_distance(semantic_vector, vector) = distance AND other_place < place
{% endif %}
    GROUP BY ALL
)
SELECT submission, task, token, shape, fault, dimensions, repeated,
    if(distance IS NULL, NULL, 1 + coalesce(nearer.labels, 0)) AS rank
FROM own
LEFT JOIN nearer USING (submission, task, token)
