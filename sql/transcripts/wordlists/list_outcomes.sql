{# How often each phrase occurs in each segment of both texts, without its places. #}
SELECT document, segment, speaker, list, text, count_if(side = 0)::BIGINT AS possible, count_if(side = 1)::BIGINT AS actual,
    least(count_if(side = 0), count_if(side = 1))::BIGINT AS correct
FROM {{ list_occurrences }}
GROUP BY ALL
