{# Every pair of a query with targets and a document: what was submitted, else the default score and NO. Among equal
   scores the order is that of `place`: -0.0 before 0.0, then submitted ones in the order of lines, then missing ones
   in the order of queries and documents. #}
{% set scopes %}{% for column in scope_columns %}{{ "query_" if column in quesst_queries.scope else "document_" }}.{{ column | name }}, {% endfor %}{% endset %}
WITH incomplete AS (
    SELECT query_.query
    FROM {{ queries }} AS query_ LEFT JOIN {{ detections }} AS detection USING (query)
    GROUP BY query_.query
    HAVING count(detection.doc) < (SELECT count(DISTINCT doc) FROM {{ audio }})
),
submitted AS (
    SELECT {{ scopes }}detection.query, detection.doc, score, decision = 'YES' AS yes, true AS submitted, coalesce(element, line) AS place
    FROM {{ detections }} AS detection
    JOIN {{ quesst_queries }} AS query_ ON query_.query = detection.query AND query_.targets > 0
    JOIN {{ quesst_documents }} AS document_ ON document_.doc = detection.doc{{ same("query_", quesst_queries, "document_", quesst_documents) }}
),
missing AS (
    SELECT {{ scopes }}query_.query, document_.doc, try_cast(nullif({{ default_score }}, '') AS DOUBLE) AS score, false AS yes, false AS submitted,
        (1::BIGINT << 50) + (query_.place << 25) + document_.place AS place
    FROM {{ quesst_queries }} AS query_
    JOIN {{ quesst_documents }} AS document_ ON true{{ same("query_", quesst_queries, "document_", quesst_documents) }}
    ANTI JOIN {{ detections }} AS detection ON detection.query = query_.query AND detection.doc = document_.doc
    WHERE query_.targets > 0 AND query_.query IN (FROM incomplete)
)
SELECT {% for column in scope_columns %}trial.{{ column | name }}, {% endfor %}trial.query, trial.doc,
    ranked_score(trial.score) AS score, trial.yes, target_.doc IS NOT NULL AS target, trial.submitted,
    CASE
        WHEN target_.doc IS NOT NULL THEN if(trial.yes, 'hit', 'miss')
        ELSE if(trial.yes, 'false_alarm', 'correct_rejection')
    END AS outcome,
    trial.place - if(signbit(trial.score) AND trial.score = 0, 1::BIGINT << 60, 0) AS place
FROM (FROM submitted UNION ALL FROM missing) AS trial
LEFT JOIN {{ quesst_targets }} AS target_ ON target_.query = trial.query AND target_.doc = trial.doc
