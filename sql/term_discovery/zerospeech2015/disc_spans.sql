{# The distinct sub-spans of members of clusters, each with its transcription, the set of its classes (`classes`, of
   span_classes) and the number of that set (`signature`). `in_utterance`: the span lies in one utterance and the fold
   lacks none of its phones, so the span is in F_all.

   By definition, the partners of every span are listed (pairs/pairs_star.sql). Spans with equal signatures are in the
   same classes, so they have the same partners, and matching_types counts signatures and transcriptions instead of
   spans. A span is in two classes if it is part of two members. For example, with abcd (phones 1–4) and bcde (phones
   2–5) in one cluster, bcd is in the class "3 phones, 1 before, 0 after" and in the class "3 phones, 0 before, 1
   after". #}
{% import "term_discovery/zerospeech2015/signatures.jinja" as signatures with context %}
{% set element = scope ~ "file, phone, size" %}
WITH signed AS (
{{ signatures.signed(disc_subspans, element, "class") | indent(4, true) }}
)
SELECT signed.*, coalesce(first_.remaining >= size, false) AS in_utterance,
{% if scope_columns %}
    left(next_.codes, (last_.place - next_.place + 1)::INTEGER) AS text
{% else %}
    left(first_.codes, size::INTEGER) AS text
{% endif %}
FROM signed
LEFT JOIN {{ phone_runs }} AS first_
    ON first_.file = signed.file AND first_.phone = signed.phone{{ same("first_", phone_runs, "signed", disc_subspans) }}
{% if scope_columns %}
-- a fold can lack phones of a span: the transcription has those phones of the span that are in the fold
ASOF LEFT JOIN {{ phone_runs }} AS next_
    ON next_.file = signed.file{{ same("next_", phone_runs, "signed", disc_subspans) }} AND next_.phone >= signed.phone
ASOF LEFT JOIN {{ phone_runs }} AS last_
    ON last_.file = signed.file{{ same("last_", phone_runs, "signed", disc_subspans) }} AND last_.phone < signed.phone + signed.size
{% endif %}
