{# The transcriptions of P_all: the distinct spans and the ends of pairs that each labels. #}
{% import "term_discovery/exact/overlap.jinja" as overlap %}
WITH counted AS (
    SELECT {{ scope }}pair_talker, text, count(*) AS spans FROM {{ all_spans }} GROUP BY ALL
),
sharing AS (
{{ overlap.sharing_time(all_spans, scope ~ "pair_talker, text, file", ["onset", "offset"]) }}
),
overlapping AS (
    SELECT {{ scope }}pair_talker, text, count(*) AS pairs
    FROM sharing
    WHERE {{ overlap.overlap("onset_a", "offset_a", "onset_b", "offset_b", overlap_fraction) }}
    GROUP BY ALL
)
SELECT {{ scope }}text, sum(spans)::BIGINT AS spans, sum(spans * (spans - 1) - 2 * coalesce(pairs, 0))::BIGINT AS ends
FROM counted
LEFT JOIN overlapping USING ({{ scope }}pair_talker, text)
GROUP BY ALL
