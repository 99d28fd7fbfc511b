{# Running sums over the boundaries of a recording: how many regions, zones and turns go on after each of them. A segment is
   the time from a boundary to the next one. Segments that are evaluated are numbered from 0. A boundary has the number of
   the next evaluated segment. #}
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
        sum(if(kind = '{{ kind }}', step, 0))::BIGINT AS {{ kind }}{{ "" if loop.last else "," }}
{% endfor %}
    FROM (SELECT doc, unnest([onset, "offset"]) AS boundary, unnest([1, -1]) AS step, kind FROM spans)
{% if recordings.value == "reference" %}
    SEMI JOIN (FROM {{ turns }} WHERE side = 'reference') USING (doc)
{% endif %}
    GROUP BY doc, boundary
),
counted AS (
    SELECT doc, boundary, lead(boundary) OVER upto - boundary AS duration,
        sum(region) OVER upto > 0 AND sum(no_eval) OVER upto = 0 AS evaluated,
        evaluated AND sum(no_score) OVER upto = 0 AND sum(turn) OVER upto < 2 AS scored,
        (sum(reference) OVER upto)::BIGINT AS n_reference, (sum(hypothesis) OVER upto)::BIGINT AS n_hypothesis
    FROM boundaries
    WINDOW upto AS (PARTITION BY doc ORDER BY boundary ROWS UNBOUNDED PRECEDING)
)
SELECT doc, boundary, duration, evaluated, scored, n_reference, n_hypothesis,
    coalesce(count_if(evaluated) OVER before, 0)::BIGINT AS segment
FROM counted
WINDOW before AS (PARTITION BY doc ORDER BY boundary ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
