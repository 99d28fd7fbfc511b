{# Each phoneme of a fold with what follows it. `remaining` is the number of phonemes from this one to the end of its
   utterance, without a hole in the fold; 0 for a phoneme in no utterance. `codes` is a string of up to 32 codes, its
   code and those of the 31 phonemes after it.

   So F_all is known without being listed: the span of n phones at a phoneme is in F_all when min_phones ≤ n ≤
   max_phones and n ≤ remaining, and its transcription is the first n characters of `codes`. With talkers = within, only
   files whose talker is known. #}
WITH starts AS (
    SELECT *, coalesce(number <> lag(number) OVER in_file + 1 OR utterance IS DISTINCT FROM lag(utterance) OVER in_file, true) AS begins
    FROM {{ fold_phonemes }}
    WINDOW in_file AS (PARTITION BY {{ scope }}file ORDER BY phone)
),
runs AS (
    SELECT *, count_if(begins) OVER (PARTITION BY {{ scope }}file ORDER BY phone ROWS UNBOUNDED PRECEDING) AS run FROM starts
),
strings AS (
    SELECT {{ scope }}file, phone, codes || coalesce(lead(codes, 16) OVER (PARTITION BY {{ scope }}file ORDER BY phone), '') AS codes
    FROM {{ phoneme_strings }}
)
SELECT {{ scope }}{{ "talker" if talkers.value == "within" else "''" }} AS pair_talker, file, number AS phone, phone AS place, onset, "offset", codes,
    if(utterance IS NULL, 0, count(*) OVER (PARTITION BY {{ scope }}file, run ORDER BY number DESC ROWS UNBOUNDED PRECEDING)) AS remaining
FROM runs
JOIN strings USING ({{ scope }}file, phone)
{% if talkers.value == "within" %}
WHERE talker IS NOT NULL
{% endif %}
