{# The words of both texts after the substitutions of the input `glm`. What a rule writes is normalised as a token. #}
{% import "transcripts/shared/stretches.jinja" as stretches with context %}
{% import "transcripts/shared/spellings.jinja" as spellings with context %}
{% if not glm.given %}
FROM {{ written_words }}
{% else %}
SELECT side, document, segment_number, line, number,
    row_number() OVER (PARTITION BY side, document, segment_number ORDER BY stretch, place, nth) - 1 AS part, spelling_.word,
    attached AND nth = 0 AS attached, word_.optional OR coalesce(spelling_.optional, false) AS optional, entity, alternation, branch, onset, duration
FROM {{ substitutions }} AS word_
LEFT JOIN (
    SELECT token, optional, unnest(if(words = [], [NULL], words)) AS word, unnest(range(greatest(len(words), 1))) AS nth
    FROM (
{{ spellings.spelt("SELECT DISTINCT token FROM " ~ substitutions) | indent(8, true) }}
    )
) AS spelling_ USING (token)
WHERE spelling_.word IS NOT NULL OR branch IS NOT NULL
UNION ALL BY NAME (
{{ stretches.emptied(written_words, substituted_stretches, substitutions) | indent(4, true) | indent(4, true) }}
)
{% endif %}
