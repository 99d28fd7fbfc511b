{# The documents of the audio, once each, in the order in which it lists them first. #}
SELECT {{ scope }}doc, row_number() OVER ({% if scope_columns %}PARTITION BY {{ scope_columns | names }} {% endif %}ORDER BY min(line), doc) AS place
FROM {{ audio }}
GROUP BY {{ scope }}doc
