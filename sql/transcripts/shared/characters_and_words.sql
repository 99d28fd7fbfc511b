{# The characters of scripts without blanks between words, and the words of other scripts. A mark without a script of its own,
   such as the long vowel mark ー, belongs to the script of the character before it: in ユーザーID, it is a character. #}
{% import "transcripts/shared/symbols.jinja" as symbols %}
{% set unspaced = "\\p{Han}\\p{Hiragana}\\p{Katakana}\\p{Thai}\\p{Lao}\\p{Khmer}" %}
{% set marks = "\\p{M}ーｰﾞﾟ゛゜" %}
{{ symbols.of_words(words_without_fillers,
    "regexp_extract_all(word, '[" ~ unspaced ~ marks ~ "]|[^" ~ unspaced ~ marks ~ "][^" ~ unspaced ~ "]*')") }}
