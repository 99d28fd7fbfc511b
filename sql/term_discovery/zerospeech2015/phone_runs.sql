{# The phone tokens of each fold, with the phones that follow. `remaining` is the number of phones from this one to the
   end of its utterance, as far as the fold lacks none; it is 0 for a phone in no utterance. `codes` is a string of up
   to 32 codes: the code of the phone and the codes of the 31 phones after it.

   F_all need not be listed. The span of n phones that begins at a phone is in F_all if min_phones ≤ n ≤ max_phones and
   n ≤ remaining, and its transcription is the first n characters of `codes`. The definition, with one row per span, is
   pairs/all_fragments.sql. With speakers = within, only recordings of known speakers have rows.

   With corpus = covered, a phone that no scored fragment covers is in no utterance, so no span of F_all contains it. #}
WITH
{% if corpus.value == "covered" %}
tokens AS (
    SELECT phone_.* REPLACE (if(number <= last_phone, utterance, NULL) AS utterance)
    FROM {{ fold_phones }} AS phone_
    ASOF LEFT JOIN {{ covered_spans }} AS covered_
        ON covered_.file = phone_.file
        AND phone_.number >= covered_.first_phone
),
{% endif %}
starts AS (
    SELECT *, coalesce(number <> lag(number) OVER in_file + 1 OR utterance IS DISTINCT FROM lag(utterance) OVER in_file, true) AS begins
    FROM {{ "tokens" if corpus.value == "covered" else fold_phones }}
    WINDOW in_file AS (PARTITION BY file ORDER BY phone)
),
runs AS (
    SELECT *, count_if(begins) OVER (PARTITION BY file ORDER BY phone ROWS UNBOUNDED PRECEDING) AS run FROM starts
),
strings AS (
    SELECT file, phone, codes || coalesce(lead(codes, 16) OVER (PARTITION BY file ORDER BY phone), '') AS codes
    FROM {{ phone_strings }}
)
SELECT {{ "speaker" if speakers.value == "within" else "''" }} AS pair_speaker, file, number AS phone, phone AS place, onset, "offset", codes,
    if(utterance IS NULL, 0, count(*) OVER (PARTITION BY file, run ORDER BY number DESC ROWS UNBOUNDED PRECEDING)) AS remaining
FROM runs
JOIN strings USING (file, phone)
{% if speakers.value == "within" %}
WHERE speaker IS NOT NULL
{% endif %}
