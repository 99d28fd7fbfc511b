{# The segments that are scored, with three signs of text that nobody said: a long run of inserted words, which are those
   between two reference words; words that the hypothesis repeats and the reference does not; words where the reference has
   none. Of several repeated groups, the first in alphabetical order is given. #}
SELECT document, segment, speaker, coalesce(words, 0) AS words, coalesce(heard, 0) AS heard, coalesce(errors, 0) AS errors,
    coalesce(inserted, 0) AS inserted, repeated, coalesce(inserted, 0) >= {{ insertion_run }} AS has_run,
    coalesce(words, 0) = 0 AND heard > 0 IS TRUE AS over_silence, has_run OR repeated IS NOT NULL OR over_silence AS hallucinated,
    {{ align_within }} = 'document' AS unplaced
FROM {{ segments }}
LEFT JOIN (
    SELECT document, segment, sum(ref_end - ref_begin)::BIGINT AS words, sum(hyp_end - hyp_begin)::BIGINT AS heard,
        sum(if(correct, 0, greatest(ref_end - ref_begin, hyp_end - hyp_begin)))::BIGINT AS errors
    FROM {{ blocks }}
    GROUP BY ALL
) USING (document, segment)
LEFT JOIN (
    SELECT document, segment, max(run) AS inserted
    FROM (
        SELECT document, segment, ref_begin, sum(hyp_end - hyp_begin)::BIGINT AS run
        FROM {{ blocks }}
        WHERE ref_begin = ref_end AND NOT correct
        GROUP BY ALL
    )
    GROUP BY ALL
) USING (document, segment)
LEFT JOIN (
    SELECT document, segment, min(text) AS repeated
    FROM (
        SELECT document, segment, array_to_string(following, ' ') AS text
        FROM (
            SELECT side, document, segment, list(word) OVER (PARTITION BY side, document, segment ORDER BY position
                ROWS BETWEEN CURRENT ROW AND {{ loop_words.value - 1 }} FOLLOWING) AS following
            FROM {{ words }}
        )
        WHERE len(following) = {{ loop_words }}
        GROUP BY ALL
        HAVING count_if(side = 1) >= {{ loop_repeats }} AND count_if(side = 0) < {{ loop_repeats }}
    )
    GROUP BY ALL
) USING (document, segment)
WHERE NOT ignored
