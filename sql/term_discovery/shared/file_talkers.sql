{# The talker of each file, as given or as the first group of `talker_pattern` in its name; files without one are
   left out. #}
{% if talkers.given %}
SELECT file, talker FROM {{ talkers }}
{% elif talker_pattern.value %}
SELECT file, regexp_extract(file, {{ talker_pattern }}, 1) AS talker
FROM (SELECT DISTINCT file FROM {{ phones }})
WHERE regexp_matches(file, {{ talker_pattern }})
{% else %}
-- no talker is known
SELECT NULL::VARCHAR AS file, NULL::VARCHAR AS talker LIMIT 0
{% endif %}
