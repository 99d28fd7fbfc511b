{# The pairs of a query and a document that holds it: a reference token is the name of the query, or an
   occurrence of the query is there. #}
SELECT query, doc, doc IN (SELECT doc FROM {{ audio }}) AS in_audio
FROM (
{% if references.given %}
    SELECT token AS query, doc FROM {{ references }}
    WHERE token IN (SELECT query FROM {{ queries }})
{% endif %}
{% if references.given and occurrences.given %}
    UNION ALL
{% endif %}
{% if occurrences.given or not references.given %}
    SELECT query, doc FROM {{ occurrences }}
{% endif %}
)
GROUP BY query, doc
