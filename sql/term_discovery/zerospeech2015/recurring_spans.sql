{# The spans of F_all (`min_phones` to `max_phones` consecutive phones of one utterance) whose transcription another
   span has, too. `spans` is the number of spans with the transcription. No other span is in a pair of P_all. #}
WITH spans AS (
    SELECT {{ scope }}pair_talker, file, phone, onset, size, left(codes, size::INTEGER) AS text
    FROM (SELECT *, unnest(range({{ min_phones }}, least({{ max_phones }}, remaining) + 1)) AS size FROM {{ phone_runs }})
)
SELECT {{ scope }}pair_talker, text, span_.file, span_.phone, size, span_.onset, last_."offset", spans
FROM spans AS span_
JOIN (SELECT {{ scope }}pair_talker, text, count(*) AS spans FROM spans GROUP BY ALL HAVING spans > 1) USING ({{ scope }}pair_talker, text)
JOIN {{ phone_runs }} AS last_
    ON last_.file = span_.file AND last_.phone = span_.phone + span_.size - 1{{ same("last_", phone_runs, "span_", phone_runs) }}
