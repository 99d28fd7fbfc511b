{# For each phoneme of a fold, how many phonemes there are from it to the end of its utterance, itself included, without
   a hole in the fold; and the codes of it and of the 31 that follow. With talkers = within, files whose talker is
   not known are left out. #}
WITH starts AS (
    SELECT *, coalesce(number <> lag(number) OVER in_file + 1 OR utterance IS DISTINCT FROM lag(utterance) OVER in_file, true) AS begins
    FROM {{ fold_phones }}
    WINDOW in_file AS (PARTITION BY {{ scope }}file ORDER BY phone)
),
runs AS (
    SELECT *, count_if(begins) OVER (PARTITION BY {{ scope }}file ORDER BY phone ROWS UNBOUNDED PRECEDING) AS run FROM starts
),
strings AS (
    SELECT {{ scope }}file, phone, codes || coalesce(lead(codes, 16) OVER (PARTITION BY {{ scope }}file ORDER BY phone), '') AS codes
    FROM {{ phone_strings }}
)
SELECT {{ scope }}{{ "talker" if talkers.value == "within" else "''" }} AS pair_talker, file, number AS phone, phone AS place, onset, "offset", codes,
    if(utterance IS NULL, 0, count(*) OVER (PARTITION BY {{ scope }}file, run ORDER BY number DESC ROWS UNBOUNDED PRECEDING)) AS remaining
FROM runs
JOIN strings USING ({{ scope }}file, phone)
{% if talkers.value == "within" %}
WHERE talker IS NOT NULL
{% endif %}
