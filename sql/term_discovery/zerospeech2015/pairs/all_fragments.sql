{# Definition of F_all: every span of `min_phones` to `max_phones` (3 to 20) consecutive phones of one utterance, with
   its transcription. An utterance of 5 phones has 3 + 2 + 1 = 6 such spans. With speakers = within, only spans of
   recordings of known speakers are listed. #}
SELECT span_.*, last_."offset"
FROM (
    SELECT pair_speaker, file, phone, size, onset, left(codes, size::INTEGER) AS text
    FROM (SELECT *, unnest(range({{ min_phones }}, least({{ max_phones }}, remaining) + 1)) AS size FROM {{ phone_runs }})
) AS span_
JOIN {{ phone_runs }} AS last_
    ON last_.file = span_.file AND last_.phone = span_.phone + span_.size - 1
