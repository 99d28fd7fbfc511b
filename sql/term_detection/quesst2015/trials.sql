{# Evidence: the trials, each with the names of its query and document and the outcome of the decision: hit, miss,
   false_alarm or correct_rejection. #}
SELECT {% for column in scope_columns %}score_.{{ column | name }}, {% endfor %}query_.query, document_.doc, score_.score, score_.yes, score_.target, score_.submitted,
    CASE
        WHEN score_.target THEN if(score_.yes, 'hit', 'miss')
        ELSE if(score_.yes, 'false_alarm', 'correct_rejection')
    END AS outcome
FROM {{ trial_scores }} AS score_
JOIN {{ scored_queries }} AS query_ ON query_.place = score_.query_place{{ same("score_", trial_scores, "query_", scored_queries) }}
JOIN {{ documents }} AS document_ ON document_.place = score_.doc_place{{ same("score_", trial_scores, "document_", documents) }}
