{# The talker of each file. Talkers come from the input `talkers` if it is given. Otherwise the first group of the
   regular expression `talker_pattern` finds the talker in the name of the file: ^(s\d) finds s1 in s1_007. A file whose
   talker is unknown has no row. #}
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
