{# What makes two fragments the same token in grouping: the file, span and transcription they come from. With
   same_token = times the file is forgotten, as tdev2 does: equal phones at equal times in two files are one. #}
{% if same_token.value == "span" %}
SELECT {{ scope }}file, first_phone, last_phone, file AS token_file, first_phone AS token_phone
FROM {{ distinct_spans }}
{% else %}
WITH suspects AS (
    SELECT {{ scope }}text, first_onset, last_offset FROM {{ distinct_spans }} GROUP BY ALL HAVING count(*) > 1
),
timed AS (
    SELECT {% for column in scope_columns %}span_.{{ column | name }}, {% endfor %}span_.file, first_phone, last_phone, text,
        string_agg(concat(phone_.onset, ' ', phone_."offset"), ',' ORDER BY phone_.phone) AS times
    FROM (
        SELECT *, unnest(range(first_phone, last_phone + 1)) AS phone
        FROM {{ distinct_spans }}
        SEMI JOIN suspects USING ({{ scope }}text, first_onset, last_offset)
    ) AS span_
    JOIN {{ phone_tokens }} AS phone_
        ON span_.file = phone_.file{{ same("span_", distinct_spans, "phone_", phone_tokens) }}
        AND span_.phone = phone_.phone
    GROUP BY ALL
),
same AS (
    SELECT {{ scope }}file, first_phone, last_phone,
        first_value(file) OVER alike AS token_file, first_value(first_phone) OVER alike AS token_phone
    FROM timed
    WINDOW alike AS (PARTITION BY {{ scope }}text, times ORDER BY file, first_phone)
)
SELECT {{ scope }}file, first_phone, last_phone,
    coalesce(token_file, file) AS token_file, coalesce(token_phone, first_phone) AS token_phone
FROM {{ distinct_spans }}
LEFT JOIN same USING ({{ scope }}file, first_phone, last_phone)
{% endif %}
