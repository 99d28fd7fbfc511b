{# The queries, each with the list of words of its text, split at blanks; NULL for a query without a text. #}
SELECT {{ shared(queries) }}query, list_filter(string_split_regex(text, '\s+'), lambda word: word <> '') AS words, compare_normalize
FROM {{ queries }}
