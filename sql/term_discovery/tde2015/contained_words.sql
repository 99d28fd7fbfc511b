{# The distinct fragments, each with the words that it contains, as tde 0.2.1 finds them. A fragment contains a word by
   the edge rule of transcriptions, with the word instead of the phone.

   A run is a sequence of words without a gap. Only the words of one run count. This is the last run that begins before
   the fragment, or a later one that begins in the fragment, if the fragment covers enough of it by the edge rule. So if
   a fragment lies across a pause, the words before the pause are ignored.

   `hit` is the label of the word if the fragment contains only this word, and both edges are at most `token_tolerance`
   (30 ms) from those of the word. `outside_words`: the fragment shares no time with its run, or there is no run. The
   evaluator then ends with an error. #}
{% import "term_discovery/zerospeech2015/edge_rule.jinja" as edge_rule with context %}
{% macro contains(row) %}{{ edge_rule.kept(row ~ ".onset", row ~ '."offset"', "fragment_.onset", 'fragment_."offset"') }}{% endmacro %}
{% macro on_file(alias) -%}
{{ alias }}.file = fragment_.file
{%- endmacro %}
WITH intervals AS (
    SELECT DISTINCT file, onset, "offset" FROM {{ fold_fragments }}
),
runs AS (
    SELECT file, run, min(onset) AS onset, max("offset") AS "offset" FROM {{ fold_word_runs }} GROUP BY ALL
),
-- runs that begin in a fragment: fragments and runs are joined by slots of time, because a join on times would compare
-- all runs of a file
slots AS (
    SELECT greatest(2 * avg("offset" - onset), {{ times.value }}(1e-6)) AS width FROM intervals
),
laid AS (
    SELECT intervals.*, unnest(range(floor(onset / width)::BIGINT, floor("offset" / width)::BIGINT + 1)) AS slot FROM intervals, slots
),
beginning AS (
    SELECT runs.*, floor(onset / width)::BIGINT AS slot FROM runs, slots
),
reached AS (
    SELECT fragment_.*, run_.run, run_.onset AS run_onset, run_."offset" AS run_offset
    FROM intervals AS fragment_
    ASOF JOIN runs AS run_ ON {{ on_file("run_") }} AND fragment_.onset > run_.onset
    UNION ALL
    SELECT fragment_.* EXCLUDE (slot), run_.run, run_.onset, run_."offset"
    FROM laid AS fragment_
    JOIN beginning AS run_ ON {{ on_file("run_") }} AND fragment_.slot = run_.slot
    WHERE run_.onset >= fragment_.onset AND {{ contains("run_") }}
),
last_reached AS (
    SELECT * FROM reached
    QUALIFY row_number() OVER (PARTITION BY file, onset, "offset" ORDER BY run_onset DESC) = 1
),
words AS (
    SELECT fragment_.*, word_.onset AS word_onset, word_."offset" AS word_offset, label
    FROM last_reached AS fragment_
    JOIN {{ fold_word_runs }} AS word_ ON {{ on_file("word_") }} AND word_.run = fragment_.run AND {{ contains("word_") }}
),
contained AS (
    SELECT file, onset, "offset", string_agg(label, chr(31) ORDER BY word_onset, word_offset) AS words,
        CASE WHEN count(*) = 1 AND abs(min(word_onset) - onset) <= {{ times.value }}({{ token_tolerance }})
            AND abs(min(word_offset) - "offset") <= {{ times.value }}({{ token_tolerance }}) THEN min(label) END AS hit
    FROM words
    GROUP BY file, onset, "offset"
)
SELECT file, onset, "offset", coalesce(words, '') AS words, hit,
    run IS NULL OR shared_time(run_onset, run_offset, onset, "offset") <= 0 AS outside_words
FROM intervals
LEFT JOIN last_reached USING (file, onset, "offset")
LEFT JOIN contained USING (file, onset, "offset")
