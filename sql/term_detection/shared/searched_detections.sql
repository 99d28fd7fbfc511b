{# The submitted detections. In a breakdown by a property of queries or of audio (such as the language), a slice has the
   detections of its queries, and those in its excerpts or trials. If detections are aligned before they are judged
   (inside_audio = midpoint), it has all detections in the documents and channels of its excerpts. #}
{% import "term_detection/shared/sliced_audio.jinja" as sliced %}
{% import "term_detection/shared/times.jinja" as time with context %}
FROM {{ detections }}
{% if queries.slices | reject("in", detections.slices) | list %}
SEMI JOIN {{ queries }} USING (query)
{% endif %}
{% if audio.slices and trials.value != "virtual" %}
{{ sliced.in_audio(trial_spans, detections, "tbeg, dur", time.in_trial("place_", "holder_")) }}
{% elif audio.slices and inside_audio.value == "midpoint" %}
SEMI JOIN {{ audio }} USING (doc, channel)
{% elif audio.slices %}
{{ sliced.in_audio(excerpts, detections, "tbeg, dur", time.covers("holder_", "place_", time.onset("place_"), time.end("place_"))) }}
{% endif %}
