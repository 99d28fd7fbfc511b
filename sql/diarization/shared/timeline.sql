{# Running sums over the boundaries of a recording: how many regions, zones and turns go on after each boundary. Of several
   boundaries at the same time, the last one has the sums over all of them, in whatever order they come. So the others are
   left out, and numbers of segments have gaps. (Grouping the boundaries by time instead takes ten times the memory.)
   After turns are cut to the regions, the reference can have none in a recording. #}
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
    SELECT doc, unnest([onset, "offset"]) AS boundary, unnest([1, -1]) AS step, kind
    FROM spans
{% if recordings.value == "reference" and trimmed_turns.value %}
    SEMI JOIN (FROM {{ turns }} WHERE side = 'reference') USING (doc)
{% endif %}
),
counted AS (
    SELECT doc, boundary, lead(boundary) OVER upto - boundary AS duration, row_number() OVER upto AS segment,
{% for kind in kinds %}
        (sum(if(kind = '{{ kind }}', step, 0)) OVER upto)::BIGINT AS {{ kind }}{{ "" if loop.last else "," }}
{% endfor %}
    FROM boundaries
    WINDOW upto AS (PARTITION BY doc ORDER BY boundary ROWS UNBOUNDED PRECEDING)
)
SELECT doc, boundary, duration, segment, region > 0 AND no_eval = 0 AS evaluated,
    evaluated AND no_score = 0 AND turn < 2 AS scored, reference AS n_reference, hypothesis AS n_hypothesis
FROM counted
WHERE duration IS NULL OR duration > 0
