{# A speaker pair is correct in a segment in which both of its speakers speak. #}
WITH
correct AS (
    SELECT doc, onset, count(*) AS n_correct
    FROM {{ speech }} AS reference_
    JOIN {{ speech }} AS hypothesis_ USING (doc, onset)
    SEMI JOIN {{ speaker_pairs }} AS pair_
        ON pair_.doc = doc AND pair_.reference_speaker = reference_.speaker
        AND pair_.hypothesis_speaker = hypothesis_.speaker
    WHERE reference_.side = 'reference' AND hypothesis_.side = 'hypothesis'
    GROUP BY ALL
),
counted AS (
    SELECT doc, onset, count_if(side = 'reference') AS n_reference, count_if(side = 'hypothesis') AS n_hypothesis
    FROM {{ speech }}
    GROUP BY ALL
)
SELECT doc, onset, duration, coalesce(n_reference, 0) AS n_reference, coalesce(n_hypothesis, 0) AS n_hypothesis,
    coalesce(n_correct, 0) AS n_correct
FROM {{ segments }}
LEFT JOIN counted USING (doc, onset)
LEFT JOIN correct USING (doc, onset)
