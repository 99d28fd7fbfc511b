{# The sub-spans of members of clusters, each within one utterance, whose first phones also begin another
   sub-span of the cluster (`first_phones` of subspan_starts). `text` is the transcription.

   equal_subspans looks for sub-spans with equal transcriptions. Equal transcriptions have equal first phones, so all
   other sub-spans are dropped before the many longer ones are listed. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
{% set group = ["cluster", "pair_speaker", "first_phones"] %}
WITH repeated AS (
    SELECT {{ group | names }} FROM {{ subspan_starts }} GROUP BY ALL HAVING count(*) > 1
)
SELECT * EXCLUDE (span_size, codes), span_size - size - before AS after, left(codes, size::INTEGER) AS text
FROM (
    SELECT start_.* EXCLUDE (first_phones), codes, unnest({{ subspans.sizes("span_size - before, remaining", subspans.fewest_in_both()) }}) AS size
    FROM (FROM {{ subspan_starts }} SEMI JOIN repeated USING ({{ group | names }})) AS start_
    JOIN {{ phone_runs }} AS run_
        ON run_.file = start_.file AND run_.phone = start_.phone
)
