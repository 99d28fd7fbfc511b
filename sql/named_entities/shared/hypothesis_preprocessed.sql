{# The words of the hypothesis after the substitutions of the input `glm` and the treatment of fillers. Without both, the
   words are unchanged. #}
{% import "named_entities/shared/preprocessing.jinja" as preprocessing %}
{{ preprocessing.words(hypothesis_lexemes, 1, glm, substitutions, substituted_spellings, filler_words, fillers, filler_treatment) }}
