{# The words of both texts as they are written, and the words of the phrases, which are normalised like those of the reference.
   A phrase has no document, and its segment is its line. #}
{% import "transcripts/shared/words.jinja" as phrases with context %}
FROM (
{% filter indent(4, true) %}
{% include "transcripts/shared/written_words.sql" %}
{% endfilter %}
)
UNION ALL BY NAME
SELECT 0 AS side, line AS segment_number, line, number, part, word, attached, optional, false AS outside
FROM (
{{ phrases.of_tokens("(SELECT line, unnest(tokens) AS token, unnest(range(len(tokens))) AS number, NULL::BIGINT AS branch,
    false AS attached FROM (SELECT line, string_split(phrase, ' ') AS tokens FROM " ~ lists ~ "))") | indent(4, true) }}
)
