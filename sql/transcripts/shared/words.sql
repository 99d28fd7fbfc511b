{# The words of both texts that are aligned, numbered from 0 within their document: of alternatives, the words of the chosen
   one. If characters are compared, the blank before the first word of a text that is aligned is left out.

   `time` is the midpoint of the word. For a reference word without a time it is estimated: word k (from 0) of the K words of
   a segment is at (k + 0.5) / K of the duration of the segment. In a segment of 10 words from 20 to 30 s, the third word is
   at 22.5 s. #}
{% set unit = "side, document" if align_within.value == "document" else "side, document, segment_number" %}
WITH scored AS (
    FROM {{ compared_symbols }}
    WHERE word IS NOT NULL AND (alternation IS NULL OR (side, document, segment_number, alternation, branch) IN (
        SELECT side, document, segment_number, alternation, branch FROM {{ chosen_branches }}))
    QUALIFY {{ compared }} <> 'characters' OR word <> ' '
        OR row_number() OVER (PARTITION BY {{ unit }} ORDER BY segment_number, number, part) > 1
),
spans AS (
    SELECT side, document, segment_number, count(*) AS words,
        (sum(count(*)) OVER (PARTITION BY side, document ORDER BY segment_number) - count(*))::BIGINT AS first
    FROM scored
    GROUP BY side, document, segment_number
)
SELECT side, document, span_.first + segment_position AS position, segment, segment_number, segment_position, word, entity,
    optional, word_.line, number, word_.onset, duration, coalesce(word_.onset + coalesce(duration, 0) / 2e0, if(side = 0,
        segment_.onset + (segment_position + 0.5e0) / words * (segment_."offset" - segment_.onset), NULL)) AS time
FROM (
    SELECT *, row_number() OVER (PARTITION BY side, document, segment_number ORDER BY number, part) - 1 AS segment_position
    FROM scored
) AS word_
JOIN spans AS span_ USING (side, document, segment_number)
JOIN {{ segments }} AS segment_ USING (document, segment_number)
