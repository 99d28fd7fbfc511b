{# The excerpts of the audio, with times in the unit of the parameter `times`: one row for each minute of the document
   that an excerpt touches. With the minute, an equality join finds the excerpt that contains a detection. `followed`:
   another excerpt of the document and channel begins where this one ends. In a breakdown it may be of another slice. #}
{% import "term_detection/shared/times.jinja" as time with context %}
WITH timed AS (
    SELECT doc, channel, {{ time.onset("excerpt_") }} AS onset, {{ time.end("excerpt_") }} AS excerpt_end
    FROM {{ audio }} AS excerpt_
)
SELECT *, (doc, channel, excerpt_end) IN (SELECT (doc, channel, onset) FROM {{ excerpt_starts }}) AS followed,
    unnest(range({{ time.stretch("onset", 60) }}, {{ time.stretch("excerpt_end", 60) }} + 1)) AS minute
FROM timed
