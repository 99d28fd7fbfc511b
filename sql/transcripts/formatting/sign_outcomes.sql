{# The signs of the words that both texts have. Of the signs that only one text has at a word, the first of the one text replaces
   the first of the other, the second the second, and so on, in the order of Unicode. #}
SELECT document, segment, speaker, sign, count_if(contains(ref_signs, sign))::BIGINT AS possible,
    count_if(contains(hyp_signs, sign))::BIGINT AS actual,
    count_if(contains(ref_signs, sign) AND contains(hyp_signs, sign))::BIGINT AS correct,
    count_if(strpos(ref_alone, sign) BETWEEN 1 AND length(hyp_alone))::BIGINT AS substituted,
    count_if(strpos(hyp_alone, sign) BETWEEN 1 AND length(ref_alone))::BIGINT AS replacing
FROM (
    SELECT document, segment, speaker, ref_signs, hyp_signs, translate(ref_signs, hyp_signs, '') AS ref_alone,
        translate(hyp_signs, ref_signs, '') AS hyp_alone, unnest(string_split(ref_signs || hyp_alone, '')) AS sign
    FROM {{ paired_words }}
    WHERE ref_signs || hyp_signs <> ''
)
GROUP BY ALL
