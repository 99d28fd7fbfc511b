{# The words that are not in Unicode's form NFC, where they are compared in that form. #}
{% if references.given and unicode_form.value == "NFC" %}
SELECT DISTINCT token, nfc_normalize(token) AS composed
FROM (SELECT token FROM {{ references }} UNION ALL SELECT unnest(words) FROM {{ query_texts }})
WHERE token <> nfc_normalize(token)
{% else %}
-- no word is changed
SELECT NULL::VARCHAR AS token, NULL::VARCHAR AS composed LIMIT 0
{% endif %}
