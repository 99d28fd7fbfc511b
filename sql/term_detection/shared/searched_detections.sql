{# The submitted detections. In a breakdown by a property of queries or of audio (such as the language), a slice has the
   detections of its queries, and those in its excerpts or trials. If detections are aligned before they are judged
   (inside_audio = midpoint), it has all detections in the documents and channels of its excerpts. #}
{% import "term_detection/shared/scopes.jinja" as scopes %}
{% import "term_detection/shared/times.jinja" as time %}
{% set carried = detections.scope | list %}
{% set by_query = scopes.of_queries(carried, queries) | trim %}
{% set known = (carried + (queries.scope | list)) | unique | list %}
{% if trials.value != "virtual" %}
{% set by_audio = scopes.of_audio(known, audio, trial_spans, detections, "tbeg, dur", time.in_trial("place_", "holder_", trials)) | trim %}
{% elif inside_audio.value == "midpoint" %}
{% set by_audio = scopes.of_channels(known, audio) | trim %}
{% else %}
{% set held = time.covers("holder_", "place_", time.onset("place_", times), time.end("place_", times), times) %}
{% set by_audio = scopes.of_audio(known, audio, excerpts, detections, "tbeg, dur", held) | trim %}
{% endif %}
{% if by_query or by_audio %}
SELECT {{ scope }}row_.line, query, doc, channel, tbeg, dur, score, decision, min_score, max_score, row_.element
FROM {{ detections }} AS row_
{{ by_query }}
{{ by_audio }}
{% else %}
FROM {{ detections }}
{% endif %}
