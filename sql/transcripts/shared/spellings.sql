{# The distinct tokens of all transcripts, each with the list of its words. Depending on the parameters, tokens are split
   at hyphens, punctuation is removed, and words are put in capitals: `Hand-made.` has the words HAND and MADE, `U.S.`
   has the word US. A token that is only punctuation has no words. The token `@`, an empty alternative in the formats of
   sclite, is kept as a word here and left out later. #}
{% import "transcripts/shared/spellings.jinja" as spellings with context %}
{% set tokens %}
SELECT token FROM {{ reference }}
UNION SELECT token FROM {{ scored_tokens }}
UNION SELECT token FROM {{ times }}
{% endset %}
{{ spellings.spelt(tokens) }}
