{# Evidence: the blocks of the alignment, each with its words of both texts, their times, and its outcome: correct,
   substituted, deleted, inserted, or split or merged. The words of a block are spoken from the start of its first word
   to the end of its last word. The speaker of hypothesis words is the speaker of the line of the first, if there is one. #}
{% import "transcripts/shared/words.jinja" as hypothesis_words with context %}
SELECT block_.document, segment, block_.speaker, block, ref_begin, ref_end, hyp_begin, hyp_end, ref_words, hyp_words, CASE
        WHEN correct THEN 'correct'
        WHEN ref_begin = ref_end THEN 'inserted'
        WHEN hyp_begin = hyp_end THEN 'deleted'
        WHEN ref_end - ref_begin = 1 AND hyp_end - hyp_begin = 1 THEN 'substituted'
        ELSE 'split or merged'
    END AS outcome, line_.speaker AS hyp_speaker, segment_.onset AS segment_onset, segment_."offset" AS segment_offset, ref_onset, ref_offset,
    hyp_onset, hyp_offset
FROM {{ blocks }} AS block_
LEFT JOIN {{ segments }} AS segment_ USING (document, segment)
{% for side in ("ref", "hyp") %}
LEFT JOIN (
    SELECT said_.document, block, string_agg(word, ' ' ORDER BY position) AS {{ side }}_words,
        min(onset) AS {{ side }}_onset, max(onset + coalesce(duration, 0)) AS {{ side }}_offset, min(said_.line) AS {{ side }}_line
    FROM (FROM {{ words }} WHERE side = {{ loop.index0 }}) AS said_
    ASOF JOIN (FROM {{ blocks }} WHERE {{ side }}_begin < {{ side }}_end) AS of_ ON said_.document = of_.document AND position >= {{ side }}_begin
    GROUP BY ALL
) AS {{ side }}_ USING (document, block)
{% endfor %}
LEFT JOIN (
    SELECT document, line, if(min(speaker) = max(speaker), min(speaker), NULL) AS speaker
    FROM {{ hypothesis_words.in_recordings(hypothesis_tokens, text_checks) | indent(4) }}
    GROUP BY ALL
) AS line_ ON block_.document = line_.document AND hyp_line = line_.line
