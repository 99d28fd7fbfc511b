{# The submitted detections. In a breakdown by a property of queries or of audio (such as the language), a slice has the
   detections of its queries in its excerpts or trials. #}
{% import "term_detection/shared/scopes.jinja" as scopes %}
{% import "term_detection/shared/times.jinja" as time %}
{% set carried = detections.scope | list %}
{% set by_query = scopes.of_queries(carried, queries) | trim %}
{% set held = time.covers("holder_", "place_", time.onset("place_", times), time.end("place_", times), times)
    if trials.value == "virtual" else time.in_trial("place_", "holder_", trials) %}
{% set by_audio = scopes.of_audio((carried + (queries.scope | list)) | unique | list, audio,
    excerpts if trials.value == "virtual" else trial_spans, detections, "tbeg, dur", held) | trim %}
{% if by_query or by_audio %}
SELECT {{ scope }}row_.line, query, doc, channel, tbeg, dur, score, decision, min_score, max_score, row_.element
FROM {{ detections }} AS row_
{{ by_query }}
{{ by_audio }}
{% else %}
FROM {{ detections }}
{% endif %}
