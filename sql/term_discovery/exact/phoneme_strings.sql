{# For each phoneme of a fold its onset and a string of up to 16 codes: its code and the codes of the 15 phonemes after
   it in the file and fold. The transcription of a span of n phonemes, n ≤ 16, is the first n characters of the string
   at its first phoneme. #}
{% import "term_discovery/spans.jinja" as spans %}
{{ spans.strings(fold_phonemes, scope) }}
