{# The distinct sub-spans of the members of groups, each with the signature of its classes and its transcription;
   `in_utterance` is whether it lies in one utterance, without a hole in the fold. #}
{% import "term_discovery/zerospeech2015/signatures.jinja" as signatures %}
{% set element = scope ~ "file, phone, size" %}
WITH instances AS (
    SELECT {{ element }}, class
    FROM {{ disc_subspans }}
    JOIN {{ span_classes }} USING ({{ scope }}cluster, pair_talker, size, before, after)
),
signed AS (
{{ signatures.signed("instances", element, "class") }}
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
-- phones of the file may be missing here: the first and the last that are there
ASOF LEFT JOIN {{ phone_runs }} AS next_
    ON next_.file = signed.file{{ same("next_", phone_runs, "signed", disc_subspans) }} AND next_.phone >= signed.phone
ASOF LEFT JOIN {{ phone_runs }} AS last_
    ON last_.file = signed.file{{ same("last_", phone_runs, "signed", disc_subspans) }} AND last_.phone < signed.phone + signed.size
{% endif %}
