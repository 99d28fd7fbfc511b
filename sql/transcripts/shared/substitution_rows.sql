{# The rows that the function substitute_text reads: the rules of the input `glm` without faults, in the order of the
   file, then the words of both texts. #}
{% from "transcripts/shared/spellings.jinja" import form with context %}
SELECT row, side, stretch, word AS text, {{ "part > 0" if hyphen.value == "split" else "false" }} AS hyphenated,
    coalesce(entity, -1) AS entity, NULL::VARCHAR AS replacement, NULL::VARCHAR AS before,
    NULL::VARCHAR AS after, NULL::BOOLEAN AS ignore_case
FROM {{ substituted_stretches }}
UNION ALL
SELECT line, CASE side WHEN 'reference' THEN 0 WHEN 'hypothesis' THEN 1 ELSE -1 END, -1,
    {{ form("pattern") }}, false, -1, replacement, {{ form("before") }}, {{ form("after") }}, ignore_case
FROM {{ glm_rules }}
WHERE fault IS NULL
ORDER BY stretch >= 0, row
