{# The talker of each file, as given or as the first group of `talker_pattern` in its name; files without one are
   left out. #}
{% if talkers.given %}
SELECT file, talker FROM {{ talkers }}
{% else %}
SELECT file, regexp_extract(file, {{ talker_pattern }}, 1) AS talker
FROM (SELECT DISTINCT file FROM {{ phones }})
WHERE {{ talker_pattern }} <> '' AND regexp_matches(file, {{ talker_pattern }})
{% endif %}
