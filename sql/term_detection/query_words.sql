{# The queries, each with the list of words by which its occurrences are found. `any_case`: the first word is compared
   without regard to case. The other words always are, as in F4DE. #}
SELECT {{ shared(query_texts) }}query, words,
    {{ "coalesce(compare_normalize, 'lowercase') = 'lowercase'" if compare_case.value == "as_listed" else "true" }} AS any_case
FROM {{ query_texts }}
