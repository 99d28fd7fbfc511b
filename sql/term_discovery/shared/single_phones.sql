{# The phone tokens as fragments, each in a cluster of its own. #}
SELECT row_number() OVER (ORDER BY file, onset, "offset")::VARCHAR AS cluster, file, onset, "offset"
FROM {{ phones }}
WHERE label NOT IN {{ silence }}
