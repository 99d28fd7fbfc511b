{# The words of both texts as they are written, after case, punctuation and hyphens, each with its utterance. There are no
   words of the hypothesis if the texts cannot be scored (meeting_faults). #}
{% import "transcripts/meeting/words.jinja" as meeting with context %}
{% import "transcripts/shared/words.jinja" as words with context %}
{% for tokens in (reference_tokens, hypothesis_tokens) %}
SELECT side, word_.document, segment_number, word_.line, number, part, word, attached, optional, NULL::BIGINT AS entity,
    NULL::BIGINT AS alternation, NULL::BIGINT AS branch, word_.onset, duration
FROM (
{{ words.of_tokens("(SELECT *, NULL::BIGINT AS branch, false AS attached FROM " ~ tokens ~ ")") | indent(4, true) }}
) AS word_
JOIN {{ utterances }} AS utterance_
    ON side = {{ loop.index0 }} AND word_.document = utterance_.document AND {{ meeting.stream() }} = stream
        AND word_.segment IS NOT DISTINCT FROM utterance_.segment
{{ "UNION ALL" if not loop.last else "WHERE NOT EXISTS (FROM " ~ meeting_faults ~ " WHERE coalesce(side, '') NOT IN ('missing', 'extra', 'respelt'))" }}
{% endfor %}
