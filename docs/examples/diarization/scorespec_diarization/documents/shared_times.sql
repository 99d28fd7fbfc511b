{# The time in which a reference speaker and a hypothesis speaker both speak, for each pair of them. #}
SELECT doc, reference_.speaker AS reference_speaker, hypothesis_.speaker AS hypothesis_speaker,
    sum(reference_.duration)::BIGINT AS shared_time
FROM {{ speech }} AS reference_
JOIN {{ speech }} AS hypothesis_ USING (doc, onset)
WHERE reference_.side = 'reference' AND hypothesis_.side = 'hypothesis'
GROUP BY ALL
ORDER BY doc, reference_speaker, hypothesis_speaker
