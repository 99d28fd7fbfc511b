{# The distinct tokens of all transcripts, each with the list of its words. Depending on the parameters, tokens are split
   at hyphens, punctuation is removed, and words are put in capitals: `Hand-made.` has the words HAND and MADE, `U.S.`
   has the word US. A token that is only punctuation has no words. The token `@`, an empty alternative in the formats of
   sclite, is kept as a word here and left out later. #}
{% set hyphens = "'[-‐‑–—]+'" %}
{% set letters = "\\p{L}\\p{M}\\p{N}''" ~ ("-" if hyphen.value == "keep" else "") %}
{% macro form(text) %}{{ "nfc_normalize(" ~ text ~ ")" if unicode_form.value == "NFC" else text }}{% endmacro %}
SELECT token, optional, token <> {{ form("token") }} AS respelt, list_filter(
{% if punctuation.value == "remove" %}
    list_transform(parts, lambda part: if(part = '@', part,
        trim(regexp_replace(replace(part, '’', ''''), '[^{{ letters }}]', '', 'g'), '''-'))),
{% else %}
    parts,
{% endif %}
    lambda word: word <> '') AS words
FROM (
    SELECT token, optional,
{% if hyphen.value == "split" %}
        regexp_split_to_array(spelt, {{ hyphens }}) AS parts
{% elif hyphen.value == "join" %}
        [regexp_replace(spelt, {{ hyphens }}, '', 'g')] AS parts
{% else %}
        [spelt] AS parts
{% endif %}
    FROM (
        SELECT token, {{ "token LIKE '(_%)'" if optional_words.value else "false" }} AS optional,
            {{ form("if(optional, token[2:-2], token)" if optional_words.value else "token") }} AS plain,
            {{ "upper(plain)" if case.value == "fold" else "plain" }} AS spelt
        FROM (
            SELECT token FROM {{ reference }}
            UNION SELECT token FROM {{ scored_tokens }}
            UNION SELECT token FROM {{ times }}
        )
        WHERE token IS NOT NULL
    )
)
