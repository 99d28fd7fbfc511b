{# The rows that the function cheapest_branches reads: the words of both texts in the segments in which one of the texts
   has alternatives. `branch` is the number of the alternative, or −1 outside of alternatives. #}
{% import "transcripts/shared/units.jinja" as units with context %}
SELECT document, segment_number, side, word AS text, optional, {{ units.fragment('word') }} AS fragment,
    coalesce(alternation, -1) AS alternation, coalesce(branch, -1) AS branch
FROM {{ compared_symbols }} AS word_
SEMI JOIN (FROM {{ compared_symbols }} WHERE alternation IS NOT NULL) AS parted USING (document, segment_number)
ORDER BY document, segment_number, side, number, part
