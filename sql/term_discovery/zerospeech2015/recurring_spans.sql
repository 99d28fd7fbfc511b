{# The spans of F_all (`min_phones` to `max_phones` consecutive phones of one utterance) whose transcription another
   span has, too. `spans` is the number of spans with the transcription. No other span is in a pair of P_all.

   By definition, all spans are listed and grouped by transcription (pairs/all_fragments.sql). Here only the longest
   span at each phone is listed, and these are sorted by transcription, as in a suffix array. A shorter span that begins
   at the same phone is a prefix of the longest one. In the sorted order, strings with a common prefix are next to each
   other. So a span has the transcription of another one if and only if the string before or the string after begins
   with it.

   For example, the longest spans are abcd, abd and bcd. The string abd is between abcd and bcd. It shares ab with abcd,
   and nothing with bcd: at this phone, only the span ab recurs.

   tests/conformance/test_zerospeech2015_pairs.py compares the result, gold_spans, with the enumerated form. #}
{% macro recurs(string) %}starts_with(previous, {{ string }}) OR starts_with(next, {{ string }}){% endmacro %}
WITH longest AS (
    SELECT pair_speaker, file, phone, onset, left(codes, least(remaining, {{ max_phones }})::INTEGER) AS string
    FROM {{ phone_runs }}
    WHERE remaining >= {{ min_phones }}
),
sorted AS (
    SELECT *, lag(string) OVER by_string AS previous, lead(string) OVER by_string AS next
    FROM longest
    WINDOW by_string AS (PARTITION BY pair_speaker ORDER BY string)
),
spans AS (
    SELECT *, left(string, size::INTEGER) AS text
    FROM (SELECT *, unnest(range({{ min_phones }}, length(string) + 1)) AS size FROM sorted WHERE {{ recurs("left(string, " ~ min_phones ~ ")") }})
    WHERE {{ recurs("text") }}
)
SELECT span_.pair_speaker, text, span_.file, span_.phone, size, span_.onset, last_."offset",
    count(*) OVER (PARTITION BY span_.pair_speaker, text) AS spans
FROM spans AS span_
JOIN {{ phone_runs }} AS last_
    ON last_.file = span_.file AND last_.phone = span_.phone + span_.size - 1
