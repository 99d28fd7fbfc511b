{# The transcriptions of P_all: the distinct spans and the ends of pairs that each labels. #}
SELECT {{ scope }}text, count(*) AS spans, sum(partners)::BIGINT AS ends FROM {{ all_spans }} GROUP BY ALL
