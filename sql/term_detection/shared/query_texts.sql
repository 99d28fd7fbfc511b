{# The words of each query; NULL for one without a text. #}
SELECT {{ shared(queries) }}query, list_filter(string_split_regex(text, '\s+'), lambda word: word <> '') AS words, compare_normalize
FROM {{ queries }}
