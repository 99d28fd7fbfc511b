{# The talker of each file, from the input `talkers`, or else from the file name: the first group of the regular
   expression `talker_pattern`. Files without a talker have no row. #}
{% if talkers.given %}
SELECT file, talker FROM {{ talkers }}
{% else %}
SELECT file, regexp_extract(file, {{ talker_pattern }}, 1) AS talker
FROM (SELECT DISTINCT file FROM {{ phones }})
WHERE {{ talker_pattern }} <> '' AND regexp_matches(file, {{ talker_pattern }})
{% endif %}
