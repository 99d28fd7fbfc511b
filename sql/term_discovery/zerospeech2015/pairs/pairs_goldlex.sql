{# Definition of P_goldLex: every unordered pair of distinct word tokens with equal transcriptions of at least one
   phone. The paper defines this set, but none of its equations uses it. #}
SELECT text, a.file AS file_a, a.onset AS onset_a, a."offset" AS offset_a,
    b.file AS file_b, b.onset AS onset_b, b."offset" AS offset_b
FROM {{ word_tokens }} AS a
JOIN {{ word_tokens }} AS b USING (text)
WHERE text <> '' AND (a.file, a.onset, a."offset") < (b.file, b.onset, b."offset")
