{# The words of both texts after substitution, each with the line, segment, entity and alternative of the first word
   that it replaces. If several words, outside of alternatives or in one alternative, replace the same words of the
   input, they share the time of the words of the input evenly. Alternatives that a rule writes get numbers above all
   numbers of the input. #}
SELECT side, document, segment_number, line, number, stretch, place, text AS token, attached AND nth = 0 AS attached, optional, entity,
    if(written.alternation < 0, word_.alternation, (stretch << 32) | written.alternation) AS alternation,
    if(written.alternation < 0, word_.branch, written.branch) AS branch,
    if(words = 1 AND first_row = last_row, onset, onset + nth * length / words) AS onset,
    if(words = 1 AND first_row = last_row, duration, length / words) AS duration,
    CASE
        WHEN written.alternation >= 0 AND word_.alternation IS NOT NULL THEN 'the rules of glm write alternatives inside of an alternative'
        WHEN written.alternation >= 0 AND {{ align_within }} = 'document' AND document IN (SELECT document FROM {{ segments }} WHERE segment_number > 0) THEN
            'the rules of glm write alternatives, but alternatives are chosen within a segment; set align_within=segment'
    END AS fault
FROM (
    SELECT written.*, count(*) OVER same AS words, row_number() OVER (same ORDER BY place) - 1 AS nth,
        last_.onset + coalesce(last_.duration, 0) - first_.onset AS length
    FROM {{ rows }} AS written
    JOIN {{ substituted_stretches }} AS first_ ON first_row = first_.row
    JOIN {{ substituted_stretches }} AS last_ ON last_row = last_.row
    WINDOW same AS (PARTITION BY first_row, last_row, written.alternation, written.branch)
) AS written
JOIN (SELECT * EXCLUDE (side, stretch) FROM {{ substituted_stretches }}) AS word_ ON first_row = word_.row
