{# The words of each query, and whether the first is compared without its case. #}
SELECT {{ shared(queries) }}query, words,
    {{ "coalesce(compare_normalize, 'lowercase') = 'lowercase'" if compare_case.value == "as_listed" else "true" }} AS any_case
FROM (SELECT *, list_filter(string_split_regex(text, '\s+'), lambda word: word <> '') AS words FROM {{ queries }})
