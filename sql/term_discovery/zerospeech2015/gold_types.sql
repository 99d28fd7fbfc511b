{# The transcriptions t of P_all: the number of spans that t labels, |match(t, P_all)|, and the number of ends of pairs
   that it labels, N(t, P_all). A pair has two ends, so that the ends are the sum of the `partners` of the spans. #}
SELECT {{ scope }}text, count(*) AS spans, sum(partners)::BIGINT AS ends FROM {{ gold_spans }} GROUP BY ALL
