{# The excerpts of the audio in the time of the convention, a row for each minute that one touches. #}
{% import "term_detection/shared/times.jinja" as time %}
SELECT *, unnest(range({{ time.stretch("onset", 60, times) }}, {{ time.stretch("excerpt_end", 60, times) }} + 1)) AS minute
FROM (
    SELECT {{ scope }}doc, channel, {{ time.onset("excerpt_", times) }} AS onset, {{ time.end("excerpt_", times) }} AS excerpt_end
    FROM {{ audio }} AS excerpt_
)
