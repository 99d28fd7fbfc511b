{# The occurrences of the queries, inside or outside of the audio that is searched. They are read from the input
   `occurrences` or found in the input `references`.

   In the references, an occurrence is a sequence of consecutive tokens of one speaker that are the words of the query,
   with gaps of at most `max_gap` (0.5 s) and no other token between them. A token of a subtype in `never_first` (filled
   pauses, fragments) cannot be the first. A token can be in several occurrences: `a b a b a` has two occurrences of
   `a b a`. `first_end` is the end of the first word, because in F4DE only the first word must lie in the audio. #}
{% import "term_detection/shared/times.jinja" as time with context %}
{% import "term_detection/shared/sliced_audio.jinja" as sliced %}
WITH
{% if occurrences.given %}
found AS (
    SELECT query, doc, channel, {{ time.onset("occurrence_") }} AS onset,
        {{ time.end("occurrence_") }} AS "offset", {{ time.end("occurrence_") }} AS first_end
    FROM {{ occurrences }} AS occurrence_
    JOIN (SELECT query FROM {{ queries }}) USING (query)
),
{% else %}
terms AS (
    SELECT *, len(words) AS size, lower(words[1]) AS word FROM {{ query_words }}
),
tokens AS (
    SELECT doc, channel, coalesce(speaker, '') AS speaker, coalesce(composed, token) AS token,
        lower(coalesce(composed, token)) AS word, tbeg, dur,
        {{ time.onset("token_") }} AS onset, {{ time.end("token_") }} AS token_end,
        coalesce(subtype NOT IN {{ never_first }}, true) AS may_begin
    FROM {{ references }} AS token_
    LEFT JOIN {{ respelt_words }} USING (token)
),
-- a run of tokens ends where the gap to the next token exceeds max_gap; only queries of two or more words need runs
breaks AS (
    SELECT *, row_number() OVER stream AS number,
{% if times.value == "microseconds" %}
        coalesce(onset - lag(token_end) OVER stream > microseconds({{ max_gap }}), true) AS breaks
{% else %}
        coalesce(four_decimals(onset - lag(token_end) OVER stream) > {{ max_gap }}, true) AS breaks
{% endif %}
    FROM tokens
    WHERE (SELECT max(size) FROM terms) > 1
    WINDOW stream AS (PARTITION BY doc, channel, speaker ORDER BY tbeg, dur, token, may_begin)
),
numbered AS (
    SELECT *, count_if(breaks) OVER (PARTITION BY doc, channel, speaker ORDER BY number) AS run
    FROM breaks
),
begun AS (
    SELECT query, words, unnest(range(2, size + 1)) AS place, doc, channel, speaker, run,
        number AS first_number, onset, token_end AS first_end
    FROM terms
    JOIN numbered USING (word)
    WHERE size > 1 AND may_begin AND (any_case OR token = words[1])
),
found AS (
    SELECT query, doc, channel, onset, token_end AS "offset", token_end AS first_end
    FROM terms
    JOIN tokens USING (word)
    WHERE size = 1 AND may_begin AND (any_case OR token = words[1])
    UNION ALL
    SELECT query, begun_.doc, begun_.channel, begun_.onset,
        arg_max(next_.token_end, place) AS "offset", begun_.first_end
    FROM begun AS begun_
    JOIN numbered AS next_
        ON begun_.doc = next_.doc AND begun_.channel = next_.channel AND begun_.speaker = next_.speaker
        AND begun_.run = next_.run AND next_.number = first_number + place - 1 AND next_.word = lower(words[place])
    GROUP BY query, begun_.doc, begun_.channel, begun_.speaker,
        first_number, begun_.onset, begun_.first_end, len(words)
    HAVING count(*) = len(words) - 1
),
{% endif %}
timed AS (
    SELECT *, {{ time.seconds("onset") }} AS onset_s, {{ time.seconds('"offset"') }} AS offset_s FROM found
)
SELECT query, doc, channel, onset, "offset", first_end, onset_s, offset_s
FROM timed
{% if audio.slices and trials.value != "virtual" %}
{{ sliced.in_audio(trial_spans, "timed", "onset_s, offset_s", time.holds("holder_", "place_")) }}
{% elif audio.slices and inside_audio.value == "midpoint" %}
SEMI JOIN {{ audio }} USING (doc, channel)
{% elif audio.slices %}
{{ sliced.in_audio(excerpts, "timed", "onset, first_end", time.covers("holder_", "place_", "place_.onset", "place_.first_end")) }}
{% endif %}
