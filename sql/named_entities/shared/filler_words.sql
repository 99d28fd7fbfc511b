{# The fillers of the parameter `fillers`, each with the list of its words after normalisation. #}
{% import "named_entities/shared/spellings.jinja" as spellings %}
{{ spellings.spelt("SELECT DISTINCT unnest(" ~ fillers ~ "::VARCHAR[]) AS token", punctuation, hyphen, case, optional_words, unicode_form) }}
