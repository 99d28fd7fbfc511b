{# The distinct sub-spans of recounted_members, each with its transcription, the set of its classes (`classes`, of
   recounted_subspans) and the number of that set (`signature`). `in_gold`: the span is in F_all, because it lies in one
   utterance, the fold lacks none of its phones, and it has at least `min_phones` phones.

   By definition, the partners of every span are listed (pairs/pairs_star.sql). Spans with equal signatures are in the
   same classes, so they have the same partners, and matching_types counts signatures and transcriptions instead of
   spans. A span is in two classes if it is part of two members. For example, with abcd (phones 1–4) and bcde (phones
   2–5) in one cluster, bcd is in the class "3 phones, 1 before, 0 after" and in the class "3 phones, 0 before, 1
   after". #}
{% import "term_discovery/zerospeech2015/signatures.jinja" as signatures with context %}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
{% set element = "file, phone, size" %}
WITH signed AS (
{{ signatures.signed(recounted_subspans, element, "class") | indent(4, true) }}
)
SELECT signed.*, coalesce(run_.remaining >= size, false) AND size >= {{ min_phones }} AS in_gold, {{ subspans.text("string_.codes", "size") }} AS text
FROM signed
JOIN {{ subspan_strings }} AS string_
    ON string_.file = signed.file AND string_.phone = signed.phone
LEFT JOIN {{ phone_runs }} AS run_
    ON run_.file = signed.file AND run_.phone = signed.phone
