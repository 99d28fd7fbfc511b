{# The trials that the system does not list, of queries that have targets, with the score `default_score`. A query with as
   many detections as there are documents has no missing trial. Such queries are skipped, because counting detections is
   cheaper than looking for missing trials. They are removed before queries and documents are crossed. #}
WITH complete AS (
    SELECT query FROM {{ detections }} GROUP BY query HAVING count(*) = (SELECT count(DISTINCT doc) FROM {{ audio }})
),
incomplete AS MATERIALIZED (
    SELECT * FROM {{ scored_queries }} WHERE targets > 0 AND query NOT IN (FROM complete)
)
SELECT query_.query, document_.doc, query_.place AS query_place, document_.place AS doc_place,
    {{ default_score }}::DOUBLE AS score
FROM incomplete AS query_
CROSS JOIN {{ documents }} AS document_
ANTI JOIN (SELECT query, doc FROM {{ detections }} SEMI JOIN incomplete USING (query)) AS detection
    ON detection.query = query_.query AND detection.doc = document_.doc
