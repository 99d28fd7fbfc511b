{# The transcriptions t of the spans in pairs of P_all, with the number of these spans, |match(t, P_all)|, and the
   number of ends of pairs with transcription t, N(t, P_all). Each pair that a span is in has one end there, so the ends
   are the sum of `partners` over the spans. The enumerated form is pairs/pairs_all.sql;
   tests/conformance/test_zerospeech2015_pairs.py compares the two. #}
SELECT text, count(*) AS spans, sum(partners)::BIGINT AS ends FROM {{ gold_spans }} GROUP BY ALL
