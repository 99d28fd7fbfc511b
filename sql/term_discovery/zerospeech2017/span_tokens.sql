{# The distinct spans of fragments, each with the token that it counts as in grouping. `token_file` and `token_phone`
   are the file and first phone of the span that represents the token.

   With same_token = span, every span is a token. With same_token = times, spans whose phones have the same labels and
   the same times are one token, even in different recordings. tdev2 does this because its tokens do not contain the
   recording. For example, the phones `a b` at 0.0 to 0.1 and 0.1 to 0.2 s occur in the recordings x and y. They are one
   token with times and two tokens with span. The first span in the order of recording and phone represents the
   token. #}
{% if same_token.value == "span" %}
SELECT file, first_phone, last_phone, file AS token_file, first_phone AS token_phone
FROM {{ distinct_spans }}
{% else %}
WITH suspects AS (
    SELECT text, first_onset, last_offset FROM {{ distinct_spans }} GROUP BY ALL HAVING count(*) > 1
),
timed AS (
    SELECT span_.file, first_phone, last_phone, text,
        string_agg(concat(phone_.onset, ' ', phone_."offset"), ',' ORDER BY phone_.phone) AS times
    FROM (
        SELECT *, unnest(range(first_phone, last_phone + 1)) AS phone
        FROM {{ distinct_spans }}
        SEMI JOIN suspects USING (text, first_onset, last_offset)
    ) AS span_
    JOIN {{ phone_tokens }} AS phone_
        ON span_.file = phone_.file
        AND span_.phone = phone_.phone
    GROUP BY ALL
),
same AS (
    SELECT file, first_phone, last_phone,
        first_value(file) OVER alike AS token_file, first_value(first_phone) OVER alike AS token_phone
    FROM timed
    WINDOW alike AS (PARTITION BY text, times ORDER BY file, first_phone)
)
SELECT file, first_phone, last_phone,
    coalesce(token_file, file) AS token_file, coalesce(token_phone, first_phone) AS token_phone
FROM {{ distinct_spans }}
LEFT JOIN same USING (file, first_phone, last_phone)
{% endif %}
