{# The distinct words, each with its phones: the first pronunciation in the input `pronunciations` or, if there is none,
   the phones by the rules in `letter_sounds`. At each position, from left to right, the first rule whose letters match is
   applied. `_` is the start or the end of a word: SHE is read as `_SHE_`, to which the rule `_SHE_=SH IY` applies. #}
{% from "transcripts/shared/spellings.jinja" import form with context %}
{% set rules = letter_sounds.value %}
{% set pattern %}{% for rule in rules %}{{ rule.split("=")[0] }}|{% endfor %}.{% endset %}
WITH distinct_words AS (
    SELECT DISTINCT word FROM {{ words }}
),
dictionary AS (
    SELECT upper({{ form("word") }}) AS word, arg_min(regexp_replace(phones, '[0-9]', '', 'g'), line) AS phones
    FROM {{ pronunciations }}
    GROUP BY ALL
)
SELECT word_.word, coalesce(phones, array_to_string(list_filter(list_transform(
        regexp_extract_all('_' || upper(strip_accents(word_.word)) || '_', {{ pattern | text }}),
        lambda letters: coalesce(MAP {
{%- for rule in rules %}{{ rule.split("=")[0] | text }}: {{ rule.split("=")[1] | text }}{{ ", " if not loop.last }}{% endfor -%}
        }[letters], letters)
    ), lambda phone: phone <> ''), ' ')) AS sounds
FROM distinct_words AS word_
LEFT JOIN dictionary ON upper(word_.word) = dictionary.word
