{# Each answer, and whether it is right: sure enough and the word that was wanted. A speaker's own file is the
   one of that name. #}
{% set word = "lower" if lenient.value else "" %}
SELECT file, speaker, item, score,
    coalesce({{ word }}(said) = {{ word }}(wanted) AND score >= {{ pass_score }}, false) AS right_answer
FROM {{ answers }}
WHERE NOT list_contains({{ skipped }}, item)
{% if voice.value == "own" %}
    AND file = speaker
{% elif voice.value == "other" %}
    AND file <> speaker
{% endif %}
