{# Speakers of both sides are paired in the segments in which both speak. #}
SELECT doc, segment, reference_.speaker AS reference_speaker, hypothesis_.speaker AS hypothesis_speaker,
    reference_.turns * hypothesis_.turns AS pairs, least(reference_.turns, hypothesis_.turns) AS correct
FROM {{ speech }} AS reference_
JOIN {{ speech }} AS hypothesis_ USING (doc, segment)
WHERE reference_.side = 'reference' AND hypothesis_.side = 'hypothesis'
