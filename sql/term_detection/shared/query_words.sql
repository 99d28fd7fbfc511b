{# The queries, each with the list of words that are looked for in the references, in the form of the parameter
   `unicode_form`. `any_case`: the first word is compared without regard to case. As in F4DE, case never matters for the
   other words. #}
SELECT query,
    {{ "list_transform(words, lambda word: nfc_normalize(word)) AS words" if unicode_form.value == "NFC" else "words" }},
    {{ "coalesce(compare_normalize, 'lowercase') = 'lowercase'" if compare_case.value == "as_listed" else "true" }} AS any_case
FROM {{ query_texts }}
