{# The speaker of each recording. Speakers come from the input `speakers` if it is given. Otherwise the first group of
   the regular expression `speaker_pattern` finds the speaker in the name of the recording: ^(s\d) finds s1 in s1_007. A
   recording whose speaker is unknown has no row. #}
{% if speakers.given %}
SELECT file, speaker FROM {{ speakers }}
{% elif speaker_pattern.value %}
SELECT file, regexp_extract(file, {{ speaker_pattern }}, 1) AS speaker
FROM (SELECT DISTINCT file FROM {{ phones }})
WHERE regexp_matches(file, {{ speaker_pattern }})
{% else %}
-- no speaker is known
SELECT NULL::VARCHAR AS file, NULL::VARCHAR AS speaker LIMIT 0
{% endif %}
