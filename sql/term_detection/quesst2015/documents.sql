{# The distinct documents of the audio, numbered from 1 by their first line in the input audio. #}
SELECT doc, row_number() OVER (ORDER BY min(line), doc) AS place
FROM {{ audio }}
GROUP BY doc
