{# The excerpts of the audio, with times as the parameter `times` compares them: one row for each minute of the
   recording that an excerpt touches. The minute makes the search for the excerpt that contains a detection an equality
   join. #}
{% import "term_detection/times.jinja" as time %}
SELECT *, unnest(range({{ time.stretch("onset", 60, times) }}, {{ time.stretch("excerpt_end", 60, times) }} + 1)) AS minute
FROM (
    SELECT {{ scope }}doc, channel, {{ time.onset("excerpt_", times) }} AS onset, {{ time.end("excerpt_", times) }} AS excerpt_end
    FROM {{ audio }} AS excerpt_
)
