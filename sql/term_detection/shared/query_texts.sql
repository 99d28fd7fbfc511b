{# The queries, each with the list of the words of its text, which blanks separate. The list is NULL if the query has no
   text. #}
SELECT query, list_filter(string_split_regex(text, '\s+'), lambda word: word <> '') AS words, compare_normalize
FROM {{ queries }}
