{# For each recording with words, numbers that show whether the inputs were swapped, or one file was given for both.

   A word lies over phones. So in the right inputs, many words contain two or more phones, and no phone contains two
   words. If the files are swapped, it is the other way round. By definition, each phone is compared with each word.
   Here each row is compared with one row of the other table, the last that begins at or before it, which is the one
   that contains it unless rows overlap. #}
{% macro over(holders, inner) %}
SELECT file, count(*) AS holders
FROM (
    SELECT holder_.file, holder_.onset
    FROM {{ inner }} AS inner_
    ASOF JOIN (SELECT file, onset, max("offset") AS "offset" FROM {{ holders }} GROUP BY ALL) AS holder_
        ON holder_.file = inner_.file AND holder_.onset <= inner_.onset
    WHERE inner_."offset" <= holder_."offset"
    GROUP BY ALL
    HAVING count(DISTINCT (inner_.onset, inner_."offset")) > 1
)
GROUP BY file
{%- endmacro %}
SELECT file, phones, words, coalesce(over_words.holders, 0) AS phones_over_words, coalesce(over_phones.holders, 0) AS words_over_phones,
    coalesce(equal_rows, 0) AS equal_rows, coalesce(unfit_words, 0) AS unfit_words
FROM (SELECT file, count(*) AS words FROM {{ words }} GROUP BY ALL)
LEFT JOIN (SELECT file, count(*) AS phones FROM {{ phones }} GROUP BY ALL) USING (file)
LEFT JOIN ({{ over(phones, words) | trim | indent }}) AS over_words USING (file)
LEFT JOIN ({{ over(words, phones) | trim | indent }}) AS over_phones USING (file)
LEFT JOIN (
    SELECT file, count(*) AS equal_rows FROM {{ words }} SEMI JOIN {{ phones }} USING (file, onset, "offset", label) GROUP BY ALL
) USING (file)
LEFT JOIN (SELECT file, count_if(NOT fits) AS unfit_words FROM {{ word_checks }} GROUP BY ALL) USING (file)
