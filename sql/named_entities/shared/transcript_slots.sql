{# The slots of the transcript, from which its F score is computed. Without a transcript, the F score is a parameter: one
   row in each slice. #}
{% if transcript.given %}
SELECT {{ scope }}outcome, NULL::DOUBLE AS fscore FROM {{ slot_outcomes }}
{% elif scope %}
SELECT DISTINCT {{ scope }}NULL::VARCHAR AS outcome, {{ transcript_fscore }} AS fscore FROM {{ reference }}
{% else %}
SELECT NULL::VARCHAR AS outcome, {{ transcript_fscore }} AS fscore
{% endif %}
