{# A running sum over the boundaries of a recording counts what goes on after each boundary: regions, zones and turns. All five
   counters are in one number, seven digits each, because one sum takes a third of the time of five sums. Time is hidden from the
   score by one no_score zone or two reference turns, so a zone counts as two.
   Of several boundaries at the same time, the last one has the sum over all of them, in whatever order they come. So the
   others are left out, and numbers of segments have gaps. (Grouping the boundaries by time instead takes ten times the memory.)
   After turns are cut to the regions, the reference can have none in a recording. #}
{% set ten_million = 10000000 %}
{% set one = {"region": 1, "no_eval": ten_million, "hidden": ten_million ** 2, "reference": ten_million ** 3, "hypothesis": ten_million ** 4} %}
WITH spans AS (
    SELECT doc, onset, "offset", {{ one.region }}::HUGEINT AS counters FROM {{ scored_regions }}
    UNION ALL
    SELECT doc, onset, "offset", if(kind = 'no_eval', {{ one.no_eval }}, {{ 2 * one.hidden }}) FROM {{ zones }}
    UNION ALL
    SELECT doc, onset, "offset", if(side = 'reference', {{ one.reference }}, {{ one.hypothesis }}) FROM {{ speaking }}
{% if skip_overlap.value %}
    UNION ALL
    SELECT doc, onset, "offset", {{ one.hidden }} FROM {{ turns }} WHERE side = 'reference'
{% endif %}
),
boundaries AS (
    SELECT doc, unnest([onset, "offset"]) AS boundary, unnest([counters, -counters]) AS step
    FROM spans
{% if recordings.value == "reference" and trimmed_turns.value %}
    SEMI JOIN (FROM {{ scored_recordings }} WHERE has_speech) USING (doc)
{% endif %}
),
counted AS (
    SELECT doc, boundary, lead(boundary) OVER upto - boundary AS duration, row_number() OVER upto AS segment,
        sum(step) OVER upto AS counters
    FROM boundaries
    WINDOW upto AS (PARTITION BY doc ORDER BY boundary ROWS UNBOUNDED PRECEDING)
)
SELECT doc, boundary, duration, segment,
    counters % {{ ten_million }} > 0 AND counters // {{ one.no_eval }} % {{ ten_million }} = 0 AS evaluated,
    evaluated AND counters // {{ one.hidden }} % {{ ten_million }} < 2 AS scored,
    (counters // {{ one.reference }} % {{ ten_million }})::BIGINT AS n_reference, (counters // {{ one.hypothesis }})::BIGINT AS n_hypothesis
FROM counted
WHERE duration IS NULL OR duration > 0
