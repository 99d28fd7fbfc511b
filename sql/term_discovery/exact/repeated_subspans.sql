{# The sub-spans of members, inside one utterance, whose first `min_phones` phones also begin another sub-span of the
   group. `text` is the transcription.

   equal_subspans searches sub-spans with equal transcriptions. Sub-spans with equal transcriptions have equal first
   phones, so that all others can be dropped before the many longer sub-spans are listed. #}
{% import "term_discovery/exact/subspans.jinja" as subspans with context %}
{% set group = scope_columns + ["cluster", "pair_talker", "first_phones"] %}
WITH repeated AS (
    SELECT {{ group | names }} FROM {{ subspan_starts }} GROUP BY ALL HAVING count(*) > 1
)
SELECT * EXCLUDE (span_size, codes), span_size - size - before AS after, left(codes, size::INTEGER) AS text
FROM (
    SELECT start_.* EXCLUDE (first_phones), codes, unnest({{ subspans.sizes("span_size - before, remaining") }}) AS size
    FROM (FROM {{ subspan_starts }} SEMI JOIN repeated USING ({{ group | names }})) AS start_
    JOIN {{ phone_runs }} AS run_
        ON run_.file = start_.file AND run_.phone = start_.phone{{ same("run_", phone_runs, "start_", subspan_starts) }}
)
