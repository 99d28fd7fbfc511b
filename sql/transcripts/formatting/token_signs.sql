{# The signs of each distinct token, with the number of letters and digits before the sign. A sign between two letters or digits
   of one word, as in 1.5 and ann@mail.org, is part of the word. Between characters of scripts without blanks, it is not. #}
{% set unspaced = "[\\p{Han}\\p{Hiragana}\\p{Katakana}\\p{Thai}\\p{Lao}\\p{Khmer}]" %}
SELECT DISTINCT token, character AS sign, letters
FROM (
    SELECT token, character, count_if(regexp_matches(character, '[\p{L}\p{M}\p{N}]')) OVER before AS letters,
        lag(character, 1, ' ') OVER in_token || lead(character, 1, ' ') OVER in_token AS around
    FROM (
        SELECT token, unnest(string_split(token, '')) AS character, unnest(range(len(string_split(token, '')))) AS place
        FROM (SELECT DISTINCT token FROM {{ written_tokens }})
        WHERE regexp_matches(token, '\p{P}|\p{S}')
    )
    WINDOW in_token AS (PARTITION BY token ORDER BY place), before AS (in_token ROWS UNBOUNDED PRECEDING)
)
WHERE list_contains({{ signs }}, character)
    AND (regexp_matches(around, '{{ unspaced }}') OR NOT regexp_matches(around, '^[\p{L}\p{M}\p{N}]+$'))
