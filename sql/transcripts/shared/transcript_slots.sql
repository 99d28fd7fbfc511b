{# The slots of the transcript, from which its F score is computed. Without a transcript, the F score is a parameter:
   one row, and one in each slice. #}
{% if transcript.given %}
SELECT outcome, NULL::DOUBLE AS fscore FROM {{ slot_outcomes }}
{% else %}
SELECT NULL::VARCHAR AS outcome, {{ transcript_fscore }} AS fscore FROM (SELECT count(*) FROM {{ transcribed_places }})
{% endif %}
