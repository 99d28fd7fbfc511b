{# Evidence: the trials, each with the names of its query and document and the outcome of the decision: hit, miss,
   false_alarm or correct_rejection. #}
SELECT query_.query, document_.doc, score_.score, score_.yes, score_.target, score_.submitted,
    CASE
        WHEN score_.target THEN if(score_.yes, 'hit', 'miss')
        ELSE if(score_.yes, 'false_alarm', 'correct_rejection')
    END AS outcome
FROM {{ trial_scores }} AS score_
JOIN {{ scored_queries }} AS query_ ON query_.place = score_.query_place
JOIN {{ documents }} AS document_ ON document_.place = score_.doc_place
