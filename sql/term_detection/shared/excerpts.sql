{# The excerpts of the audio, with times in the unit of the parameter `times`: one row for each minute of the recording
   that an excerpt touches. With the minute, an equality join finds the excerpt that contains a detection. #}
{% import "term_detection/shared/times.jinja" as time %}
SELECT *, unnest(range({{ time.stretch("onset", 60, times) }}, {{ time.stretch("excerpt_end", 60, times) }} + 1)) AS minute
FROM (
    SELECT {{ scope }}doc, channel, {{ time.onset("excerpt_", times) }} AS onset, {{ time.end("excerpt_", times) }} AS excerpt_end
    FROM {{ audio }} AS excerpt_
)
