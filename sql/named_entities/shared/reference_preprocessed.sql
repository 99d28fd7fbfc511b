{# The words of the reference after the substitutions of the input `glm` and the treatment of fillers. Without both, the
   words are unchanged. #}
{% import "named_entities/shared/preprocessing.jinja" as preprocessing %}
{{ preprocessing.words(reference_lexemes, 0, glm, substitutions, substituted_spellings, filler_words, fillers, filler_treatment) }}
