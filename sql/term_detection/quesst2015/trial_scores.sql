{# The trials: every pair of a document and a query that has targets, with its submitted score and decision or, if it is
   missing, with the default score and NO. Queries and documents are numbers here, because there are millions of rows.

   `place` orders trials with equal scores as the QUESST scorer does, whose calibration depends on that order: −0.0
   before 0.0, then submitted trials by line, then missing trials by query and document. A file has fewer than 2^56 lines,
   and there are fewer than 2^28 queries and documents, so that these three are one number below 2^60. #}
WITH targets AS (
    SELECT query_.place AS query_place, document_.place AS doc_place
    FROM {{ targets }} AS target_
    JOIN {{ scored_queries }} AS query_ ON query_.query = target_.query
    JOIN {{ documents }} AS document_ ON document_.doc = target_.doc
),
trials AS (
    SELECT query_.place AS query_place, document_.place AS doc_place, score, decision = 'YES' AS yes,
        true AS submitted, coalesce(element, line) AS place
    FROM {{ detections }} AS detection
    JOIN {{ scored_queries }} AS query_ ON query_.query = detection.query AND query_.targets > 0
    JOIN {{ documents }} AS document_ ON document_.doc = detection.doc
    UNION ALL
    SELECT query_place, doc_place, score, false, false, (1::BIGINT << 56) + (query_place::BIGINT << 28) + doc_place
    FROM {{ missing_trials }}
)
SELECT query_place, doc_place, ranked_score(score) AS score, yes, targets.doc_place IS NOT NULL AS target, submitted,
    place - if(score = 0 AND signbit(score), 1::BIGINT << 60, 0) AS place
FROM trials LEFT JOIN targets USING (query_place, doc_place)
