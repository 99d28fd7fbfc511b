{# The characters of both texts. Before those of a word there is a blank, if blanks are compared and the text has one there. #}
{% import "transcripts/shared/symbols.jinja" as symbols %}
{% set characters = {"grapheme": "list_transform(range(1, length_grapheme(word) + 1), lambda nth: substring_grapheme(word, nth, 1))",
    "code_point": "string_split(word, '')"}[character.value] %}
{{ symbols.of_words(words_without_fillers, "if(attached OR " ~ blanks ~ " = 'remove', [], [' ']) || " ~ characters) }}
