{# The distinct spans of fragments. `in_gold`: some fragment has the same transcription and shares no time with a
   fragment of the span, so the span is in flat(P_goldclus). With speakers = within, only fragments of the same speaker
   count. #}
{% import "term_discovery/zerospeech2017/partners.jinja" as partners %}
SELECT file, first_phone, last_phone, text, has_partner AS in_gold
FROM (
{% if speakers.value == "within" %}
{{ partners.with_partner("(FROM " ~ distinct_spans ~ " JOIN " ~ file_speakers ~ " USING (file))", "speaker, text") | indent(4, true) }}
{% else %}
{{ partners.with_partner(distinct_spans, "text") | indent(4, true) }}
{% endif %}
)
