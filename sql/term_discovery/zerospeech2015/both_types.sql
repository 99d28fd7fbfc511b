{# The transcriptions of the spans in pairs of both P_disc* and P_all, counted as matching_types.sql explains. No other
   transcription has an end of a pair in both sets, so matching_pairs needs only its number of spans. #}
{% import "term_discovery/zerospeech2015/matching_types.jinja" as matching with context %}
WITH both_texts AS (
    SELECT DISTINCT left(codes, size::INTEGER) AS text FROM {{ both_spans }} JOIN {{ phone_runs }} USING (file, phone)
)
FROM (
{{ matching.types("both_texts") | indent(4, true) }}
)
