{# The words that are not written in the Unicode form NFC, with the word in that form. There are no rows if words are
   compared as they are written. #}
{% if references.given and unicode_form.value == "NFC" %}
SELECT DISTINCT token, nfc_normalize(token) AS composed
FROM (SELECT token FROM {{ references }} UNION ALL SELECT unnest(words) FROM {{ query_texts }})
WHERE token <> nfc_normalize(token)
{% else %}
-- no word is changed
SELECT NULL::VARCHAR AS token, NULL::VARCHAR AS composed LIMIT 0
{% endif %}
