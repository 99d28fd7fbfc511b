{# The words of the references, in the form of the parameter `unicode_form`, without tokens of a subtype in `never_first`. #}
SELECT lower({{ "nfc_normalize(token)" if unicode_form.value == "NFC" else "token" }}) AS word
FROM {{ references }}
WHERE coalesce(subtype NOT IN {{ never_first }}, true)
