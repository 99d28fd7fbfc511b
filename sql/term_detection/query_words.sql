{# The queries, each with the list of words by which its occurrences are found, in the Unicode form of `unicode_form`.
   `any_case`: the first word is compared without regard to case. The other words always are, as in F4DE. #}
SELECT {{ shared(query_texts) }}query,
    {{ "list_transform(words, lambda word: nfc_normalize(word)) AS words" if unicode_form.value == "NFC" else "words" }},
    {{ "coalesce(compare_normalize, 'lowercase') = 'lowercase'" if compare_case.value == "as_listed" else "true" }} AS any_case
FROM {{ query_texts }}
