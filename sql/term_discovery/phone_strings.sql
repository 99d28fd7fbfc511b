{# For each phone token its onset and a string of up to 16 codes: its code and the codes of the 15 phones after it in
   the file.

   The transcription of a span of n phones, n ≤ 16, is the first n characters of the string at its first phone. No
   characters have to be aggregated for each fragment. #}
{% import "term_discovery/spans.jinja" as spans %}
{{ spans.strings(phone_tokens, scope) }}
