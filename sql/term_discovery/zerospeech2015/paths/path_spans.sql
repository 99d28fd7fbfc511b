{# The distinct spans of path_pairs, flat(P_disc*), each with the number of pairs that it is in (`partners`). The
   transcription has those phones of the span that are in the fold. `in_gold`: the span is in F_all, because it
   lies in one utterance, the fold lacks none of its phones, and it has at least `min_phones` phones. #}
WITH ends AS (
    SELECT span, sum(pairs)::BIGINT AS partners
    FROM (
        SELECT span_a AS span, count(*) AS pairs FROM {{ path_pairs }} GROUP BY ALL
        UNION ALL
        SELECT span_b, count(*) FROM {{ path_pairs }} GROUP BY ALL
    )
    GROUP BY ALL
)
SELECT span, first_.file, first_.phone, last_.phone - first_.phone + 1 AS size, first_.onset, last_."offset",
    left(first_.codes, (span % 64)::INTEGER) AS text, first_.remaining >= span % 64 AND span % 64 >= {{ min_phones }} AS in_gold, partners
FROM ends
JOIN {{ phone_positions }} AS first_ ON first_.position = span // 64
JOIN {{ phone_positions }} AS last_ ON last_.position = span // 64 + span % 64 - 1
