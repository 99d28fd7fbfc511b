{# Every pair of a query with targets and a document: what was submitted, else the default score and NO. Names are
   numbers here, as there are millions of rows. Among equal scores the order is that of `place`: -0.0 before 0.0, then
   submitted ones in the order of lines, then missing ones in the order of queries and documents. #}
{% set scopes %}{% for column in scope_columns %}{{ "query_" if column in scored_queries.scope else "document_" }}.{{ column | name }}, {% endfor %}{% endset %}
{% set together %}{{ same("query_", scored_queries, "document_", documents) }}{% endset %}
WITH targets AS (
    SELECT {{ scopes }}query_.place AS query_place, document_.place AS doc_place
    FROM {{ targets }} AS target_
    JOIN {{ scored_queries }} AS query_ ON query_.query = target_.query
    JOIN {{ documents }} AS document_ ON document_.doc = target_.doc{{ together }}
),
trials AS (
    SELECT {{ scopes }}query_.place AS query_place, document_.place AS doc_place, score, decision = 'YES' AS yes,
        true AS submitted, coalesce(element, line) AS place
    FROM {{ detections }} AS detection
    JOIN {{ scored_queries }} AS query_ ON query_.query = detection.query AND query_.targets > 0
    JOIN {{ documents }} AS document_ ON document_.doc = detection.doc{{ together }}
    UNION ALL
    SELECT {{ scope }}query_place, doc_place, score, false, false, (1::BIGINT << 56) + (query_place::BIGINT << 28) + doc_place
    FROM {{ missing_trials }}
)
SELECT {{ scope }}query_place, doc_place, ranked_score(score) AS score, yes, targets.doc_place IS NOT NULL AS target, submitted,
    place - if(score = 0 AND signbit(score), 1::BIGINT << 60, 0) AS place
FROM trials LEFT JOIN targets USING ({{ scope }}query_place, doc_place)
