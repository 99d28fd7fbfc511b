{# The rows that the function cheapest_branches reads: the words of both texts in the segments in which one of the texts
   has alternatives. `branch` is the number of the alternative, or −1 outside of alternatives. #}
{% import "transcripts/shared/units.jinja" as units with context %}
WITH words AS (
    SELECT 0 AS side, document, segment_number, number, part, word AS text, optional, alternation, branch FROM {{ reference_symbols }}
    UNION ALL
    SELECT 1, document, segment_number, number, part, word, optional, alternation, branch FROM {{ hypothesis_symbols }}
)
SELECT document, segment_number, side, text, optional, {{ units.fragment('text') }} AS fragment,
    coalesce(alternation, -1) AS alternation, coalesce(branch, -1) AS branch
FROM words
SEMI JOIN (FROM words WHERE alternation IS NOT NULL) AS parted USING (document, segment_number)
ORDER BY document, segment_number, side, number, part
