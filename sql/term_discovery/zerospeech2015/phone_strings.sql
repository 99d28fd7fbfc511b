{# The phone tokens of each fold, with their onset and a string of up to 16 codes: the code of the phone and the codes
   of the 15 phones after it in the file. The transcription of a span of up to 16 phones is the left end of the string
   at its first phone. #}
{% import "term_discovery/shared/spans.jinja" as spans %}
{{ spans.strings(fold_phones) }}
