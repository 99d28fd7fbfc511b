{# Running sums over the boundaries of a recording: how many regions, zones and turns go on after each boundary. #}
{% set kinds = ["region", "no_eval", "no_score", "reference", "hypothesis", "turn"] %}
WITH spans AS (
    SELECT doc, onset, "offset", 'region' AS kind FROM {{ scored_regions }}
    UNION ALL
    SELECT doc, onset, "offset", kind FROM {{ zones }}
    UNION ALL
    SELECT doc, onset, "offset", side FROM {{ speaking }}
{% if skip_overlap.value %}
    UNION ALL
    SELECT doc, onset, "offset", 'turn' FROM {{ turns }} WHERE side = 'reference'
{% endif %}
),
boundaries AS (
    SELECT doc, boundary,
{% for kind in kinds %}
        sum(if(kind = '{{ kind }}', step, 0)) AS {{ kind }}{{ "" if loop.last else "," }}
{% endfor %}
    FROM (SELECT doc, unnest([onset, "offset"]) AS boundary, unnest([1, -1]) AS step, kind FROM spans)
{% if recordings.value == "reference" %}
    SEMI JOIN (FROM {{ turns }} WHERE side = 'reference') USING (doc)
{% endif %}
    GROUP BY doc, boundary
)
SELECT doc, boundary, lead(boundary) OVER upto - boundary AS duration, row_number() OVER upto AS segment,
    sum(region) OVER upto > 0 AND sum(no_eval) OVER upto = 0 AS evaluated,
    evaluated AND sum(no_score) OVER upto = 0 AND sum(turn) OVER upto < 2 AS scored,
    (sum(reference) OVER upto)::BIGINT AS n_reference, (sum(hypothesis) OVER upto)::BIGINT AS n_hypothesis
FROM boundaries
WINDOW upto AS (PARTITION BY doc ORDER BY boundary ROWS UNBOUNDED PRECEDING)
