{# The phone tokens, each with its onset and a string of up to 16 codes: its own code and the codes of the 15 phones
   after it in the file. The transcription of a span of up to 16 phones is the left end of the string at its first
   phone. #}
{% import "term_discovery/shared/spans.jinja" as spans %}
{{ spans.strings(phone_tokens) }}
