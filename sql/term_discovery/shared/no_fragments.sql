{# No fragments: the system finds nothing. #}
SELECT NULL::VARCHAR AS cluster, file, onset, "offset" FROM {{ phones }} LIMIT 0
