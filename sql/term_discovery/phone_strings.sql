{# For each phone, its onset and the codes of it and the 15 that follow: the transcription of a span of up to 16 phones is
   the left end of one of these. Four doublings make 16. #}
WITH one AS (SELECT {{ scope }}file, phone, onset, code AS codes FROM {{ phone_tokens }}),
{% for size, here, below in [(1, "two", "one"), (2, "four", "two"), (4, "eight", "four")] %}
{{ here }} AS (
    SELECT * REPLACE (codes || coalesce(lead(codes, {{ size }}) OVER in_file, '') AS codes)
    FROM {{ below }}
    WINDOW in_file AS (PARTITION BY {{ scope }}file ORDER BY phone)
){{ "," if not loop.last }}
{% endfor %}
SELECT * REPLACE (codes || coalesce(lead(codes, 8) OVER in_file, '') AS codes)
FROM eight
WINDOW in_file AS (PARTITION BY {{ scope }}file ORDER BY phone)
