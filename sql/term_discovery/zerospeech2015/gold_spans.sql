{# The spans that are in a pair of P_all, flat(P_all), with the number of pairs that each is in (`partners`).

   By definition, all pairs of spans with equal transcriptions are listed, without those that overlap
   (pairs/pairs_all.sql). Here a span is in n − 1 pairs if n spans have its transcription, minus the pairs with spans
   that overlap it. Only spans of one recording that share time can overlap, so only those are compared.

   For example, three spans have the transcription `aaaa`, at 0.0–0.4, 0.1–0.5 and 2.0–2.4 s. The first two share 0.3 of
   0.4 s, more than half, so they are not a pair. The numbers of partners are 2 − 1, 2 − 1 and 2.

   tests/conformance/test_zerospeech2015_pairs.py compares the two. #}
{% import "term_discovery/zerospeech2015/overlap.jinja" as overlap with context %}
WITH sharing AS (
{{ overlap.sharing_time(recurring_spans, "pair_speaker, text", "onset", '"offset"', ["phone", "onset", "offset"]) | indent(4, true) }}
),
overlapping AS (
    SELECT pair_speaker, text, unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone
    FROM sharing
    WHERE {{ overlap.overlap("onset_a", "offset_a", "onset_b", "offset_b") }}
),
counted AS (
    SELECT *, count(*) AS clashes FROM overlapping GROUP BY ALL
)
SELECT pair_speaker, text, file, phone, size, onset, "offset", spans - 1 - coalesce(clashes, 0) AS partners
FROM {{ recurring_spans }}
LEFT JOIN counted USING (pair_speaker, text, file, phone)
WHERE partners > 0
