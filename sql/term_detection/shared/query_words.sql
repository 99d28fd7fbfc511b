{# The words of each query by which it is found, and whether the first is compared without its case. #}
SELECT {{ shared(query_texts) }}query,
    {{ "list_transform(words, lambda word: nfc_normalize(word)) AS words" if unicode_form.value == "NFC" else "words" }},
    {{ "coalesce(compare_normalize, 'lowercase') = 'lowercase'" if compare_case.value == "as_listed" else "true" }} AS any_case
FROM {{ query_texts }}
