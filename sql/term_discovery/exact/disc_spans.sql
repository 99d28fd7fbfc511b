{# The distinct sub-spans of members of groups, each with its transcription and its signature. The signature stands for
   the set of classes (span_classes) that the span is in, listed in `classes`. `spoken`: the span lies inside one
   utterance without a hole in the fold, so that it is in F_all.

   The naive way asks for the partners of every span. Spans with the same signature are in the same classes and so have
   the same partners. matching_types therefore counts signatures and transcriptions, not spans. A span is in two classes
   when it is a part of two members: with abcd and bcde of one cluster, bcd is in the class "size 3, 1 before, 0 after"
   and in the class "size 3, 0 before, 1 after".

   The definition of the sub-spans is pairs/pairs_star.sql. #}
{% import "term_discovery/exact/signatures.jinja" as signatures %}
{% set element = scope ~ "file, phone, size" %}
WITH instances AS (
    SELECT {{ element }}, class
    FROM {{ disc_subspans }}
    JOIN {{ span_classes }} USING ({{ scope }}cluster, pair_talker, size, before, after)
),
signed AS (
{{ signatures.signed("instances", element, "class") | indent(4, true) }}
)
SELECT signed.*, coalesce(first_.remaining >= size, false) AS spoken,
{% if scope_columns %}
    left(next_.codes, (last_.place - next_.place + 1)::INTEGER) AS text
{% else %}
    left(first_.codes, size::INTEGER) AS text
{% endif %}
FROM signed
LEFT JOIN {{ phone_runs }} AS first_
    ON first_.file = signed.file AND first_.phone = signed.phone{{ same("first_", phone_runs, "signed", disc_subspans) }}
{% if scope_columns %}
-- a fold can lack phones of a span: its transcription is that of the phones of the span that are in the fold
ASOF LEFT JOIN {{ phone_runs }} AS next_
    ON next_.file = signed.file{{ same("next_", phone_runs, "signed", disc_subspans) }} AND next_.phone >= signed.phone
ASOF LEFT JOIN {{ phone_runs }} AS last_
    ON last_.file = signed.file{{ same("last_", phone_runs, "signed", disc_subspans) }} AND last_.phone < signed.phone + signed.size
{% endif %}
