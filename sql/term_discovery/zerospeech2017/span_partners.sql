{# Whether a fragment of equal transcription is anywhere, or is of the same talker. #}
{% import "term_discovery/zerospeech2017/partners.jinja" as partners %}
SELECT {{ scope }}file, first_phone, last_phone, text, has_partner AS in_gold
FROM (
{% if talkers.value == "within" %}
{{ partners.with_partner("(FROM " ~ distinct_spans ~ " JOIN " ~ file_talkers ~ " USING (file))", scope, "talker, text") }}
{% else %}
{{ partners.with_partner(distinct_spans, scope, "text") }}
{% endif %}
)
