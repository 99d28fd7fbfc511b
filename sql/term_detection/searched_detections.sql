{# The detections as submitted; in slices by a property of queries or of the audio, those of each slice. #}
{% import "term_detection/scopes.jinja" as scopes %}
{% set joins = scopes.joined(detections.scope | list, queries, audio) | trim %}
{% if joins %}
SELECT {{ scope }}query, doc, channel, row_.tbeg, row_.dur, score, decision, min_score, max_score
FROM {{ detections }} AS row_
{{ joins }}
{% else %}
FROM {{ detections }}
{% endif %}
