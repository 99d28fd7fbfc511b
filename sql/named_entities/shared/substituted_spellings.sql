{# The distinct tokens after substitution, each with the list of its words after normalisation. #}
{% import "named_entities/shared/spellings.jinja" as spellings %}
{{ spellings.spelt("SELECT DISTINCT token FROM " ~ substitutions, punctuation, hyphen, case, optional_words, unicode_form) }}
