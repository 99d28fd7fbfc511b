{# The phones of cover(P_disc), which are in the transcription of a fragment in a pair of P_disc (`in_found`), and the
   phones of cover(P_all), which are in a span in a pair of P_all (`in_gold`).

   By definition, each span of a pair is expanded to its phones (pairs/pairs_disc.sql, pairs/pairs_all.sql), and phones
   that occur several times count once. Here spans that have phones in common are merged first, so that each phone is
   listed once per set, however many spans contain it. With the spans 1–4, 2–5 and 7–8, the phones 1 to 5 and 7 to 8 are
   listed.

   tests/conformance/test_zerospeech2015.py compares coverage with a brute-force computation. #}
WITH spans AS (
    SELECT {{ scope }}file, 'found' AS set_, first_phone, last_phone FROM {{ longest_partners }}
    WHERE partner_size IS NOT NULL AND first_phone <= last_phone
    UNION ALL
    SELECT {{ scope }}unnest([file_a, file_b]), 'found', unnest([first_phone_a, first_phone_b]), unnest([last_phone_a, last_phone_b]) FROM {{ near_pairs }}
    WHERE NOT overlap
    UNION ALL
    SELECT {{ scope }}file, 'gold', phone, phone + size - 1 FROM {{ gold_spans }}
),
longest AS (
    SELECT {{ scope }}file, set_, first_phone, max(last_phone) AS last_phone FROM spans GROUP BY ALL
),
begun AS (
    SELECT *, coalesce(first_phone > max(last_phone) OVER before, true) AS begins
    FROM longest
    WINDOW before AS (PARTITION BY {{ scope }}file, set_ ORDER BY first_phone ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
islands AS (
    SELECT *, count_if(begins) OVER (PARTITION BY {{ scope }}file, set_ ORDER BY first_phone ROWS UNBOUNDED PRECEDING) AS island
    FROM begun
),
merged AS (
    SELECT {{ scope }}file, set_, unnest(range(min(first_phone), max(last_phone) + 1)) AS number
    FROM islands
    GROUP BY {{ scope }}file, set_, island
)
SELECT {{ scope }}file, number, onset, "offset", bool_or(set_ = 'found') AS in_found, bool_or(set_ = 'gold') AS in_gold
FROM merged
JOIN {{ fold_phones }} USING ({{ scope }}file, number)
GROUP BY ALL
