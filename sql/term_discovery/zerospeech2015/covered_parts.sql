{# cover(P_disc) (`in_found`) and cover(P_all) (`in_gold`). With cover = phones, these are the phones in the
   transcription of a fragment in a pair of P_disc, and the phones in a span in a pair of P_all. With cover = intervals,
   they are the intervals of time of these fragments and spans, ∪ [i, j] as printed.

   By definition, each span of a pair is expanded to its phones (pairs/pairs_disc.sql, pairs/pairs_all.sql), and phones
   that occur several times are counted once. Here spans that overlap are merged first, so that each phone or time is
   listed once per set, however many spans contain it. With the spans 1–4, 2–5 and 7–8, the phones 1 to 5 and 7 to 8 are
   listed.

   tests/conformance/test_zerospeech2015_properties.py compares coverage with a brute-force computation. #}
{% import "term_discovery/zerospeech2015/islands.jinja" as islands %}
{% set in_time = cover.value == "intervals" %}
{% set begin, end_ = ("onset", "offset") if in_time else ("first_phone", "last_phone") %}
WITH spans AS (
    SELECT file, 'found' AS set_, {{ begin | name }} AS begin_, {{ end_ | name }} AS end_ FROM {{ longest_partners }}
    WHERE partner_size IS NOT NULL AND begin_ <= end_
    UNION ALL
    SELECT unnest([file_a, file_b]), 'found', unnest([{{ begin }}_a, {{ begin }}_b]), unnest([{{ end_ }}_a, {{ end_ }}_b])
    FROM {{ near_pairs }}
    WHERE NOT overlap
    UNION ALL
    SELECT file, 'gold', {{ 'onset, "offset"' if in_time else "phone, phone + size - 1" }} FROM {{ gold_spans }}
),
merged AS (
{{ islands.merged("spans", ["file", "set_"], "begin_", "end_") | indent(4, true) }}
)
{% if in_time %}
SELECT file, NULL::BIGINT AS number, begin_ AS onset, end_ AS "offset", set_ = 'found' AS in_found, set_ = 'gold' AS in_gold
FROM merged
{% else %}
SELECT file, number, onset, "offset", bool_or(set_ = 'found') AS in_found, bool_or(set_ = 'gold') AS in_gold
FROM (SELECT file, set_, unnest(range(begin_, end_ + 1)) AS number FROM merged)
JOIN {{ fold_phones }} USING (file, number)
GROUP BY ALL
{% endif %}
