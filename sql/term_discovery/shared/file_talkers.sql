{# The speaker of each recording. Speakers come from the input `talkers` if it is given. Otherwise the first group of
   the regular expression `talker_pattern` finds the speaker in the name of the recording: ^(s\d) finds s1 in s1_007. A
   recording whose speaker is unknown has no row. #}
{% if talkers.given %}
SELECT file, talker FROM {{ talkers }}
{% elif talker_pattern.value %}
SELECT file, regexp_extract(file, {{ talker_pattern }}, 1) AS talker
FROM (SELECT DISTINCT file FROM {{ phones }})
WHERE regexp_matches(file, {{ talker_pattern }})
{% else %}
-- no speaker is known
SELECT NULL::VARCHAR AS file, NULL::VARCHAR AS talker LIMIT 0
{% endif %}
