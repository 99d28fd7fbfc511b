{# The distinct documents of the audio, numbered from 1 by their first line in the input audio. #}
SELECT {{ scope }}doc, row_number() OVER ({% if scope_columns %}PARTITION BY {{ scope_columns | names }} {% endif %}ORDER BY min(line), doc) AS place
FROM {{ audio }}
GROUP BY {{ scope }}doc
