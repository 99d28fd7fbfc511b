{# The queries, numbered from 1 in the order of their list, each with the number of documents (its trials) and of
   documents in which it occurs (its targets). #}
SELECT {% for column in scope_columns %}{{ "query_" if column in queries.scope else "document_" }}.{{ column | name }}, {% endfor %}
    query_.query, any_value(query_.place) AS place, count(*) AS documents, count(target_.doc) AS targets
FROM (
    SELECT *, row_number() OVER (ORDER BY line, query) AS place FROM {{ queries }}
) AS query_
JOIN {{ quesst_documents }} AS document_ ON true{{ same("query_", queries, "document_", quesst_documents) }}
LEFT JOIN {{ quesst_targets }} AS target_ ON target_.query = query_.query AND target_.doc = document_.doc
GROUP BY {% for column in scope_columns %}{{ "query_" if column in queries.scope else "document_" }}.{{ column | name }}, {% endfor %}query_.query
