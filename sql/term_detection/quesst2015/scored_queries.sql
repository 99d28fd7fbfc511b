{# The queries, numbered from 1 in the order of the input, each with the number of documents (its trials) and the number
   of documents that contain it (its targets). #}
SELECT query_.query,
    any_value(query_.place) AS place, count(*) AS documents, count(target_.doc) AS targets
FROM (
    SELECT *, row_number() OVER (ORDER BY line, query) AS place FROM {{ queries }}
) AS query_
CROSS JOIN {{ documents }} AS document_
LEFT JOIN {{ targets }} AS target_ ON target_.query = query_.query AND target_.doc = document_.doc
GROUP BY query_.query
