{# The symbols of both texts that are aligned, which are words or characters (parameter `compared`). Before the characters of
   a word there is a blank, if blanks are compared and the text has one there. A blank is in an entity if the words around it
   are. A mark without a script of its own, such as the long vowel mark ー, belongs
   to the script of the character before it: in ユーザーID, it is a character. #}
{% set unspaced = "\\p{Han}\\p{Hiragana}\\p{Katakana}\\p{Thai}\\p{Lao}\\p{Khmer}" %}
{% set marks = "\\p{M}ーｰﾞﾟ゛゜" %}
{% set characters = {"grapheme": "list_transform(range(1, length_grapheme(word) + 1), lambda nth: substring_grapheme(word, nth, 1))",
    "code_point": "string_split(word, '')"}[character.value] %}
{% set of_word = {"mixed": "regexp_extract_all(word, '[" ~ unspaced ~ marks ~ "]|[^" ~ unspaced ~ marks ~ "][^" ~ unspaced ~ "]*')",
    "characters": "if(attached, [], [' ']) || " ~ characters if blanks.value == "keep" else characters}.get(compared.value) %}
{% if compared.value == "words" %}
FROM {{ words_without_fillers }}
{% else %}
SELECT * EXCLUDE (symbols, blank_entity) REPLACE (unnest(symbols) AS word, (part << 32) + unnest(range(len(symbols))) AS part,
    unnest(list_transform(symbols, lambda symbol: if(symbol = ' ', blank_entity, entity))) AS entity)
FROM (
    SELECT *, if(word IS NULL, [NULL], {{ of_word }}) AS symbols,
        if(entity = lag(entity) OVER (PARTITION BY side, document, segment_number ORDER BY number, part), entity, NULL) AS blank_entity
    FROM {{ words_without_fillers }}
)
{% endif %}
