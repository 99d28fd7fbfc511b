{# The target trials: the pairs of a query and a document that contains the query. In the input `references`, a document
   contains a query if one of its tokens is the name of the query. #}
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
