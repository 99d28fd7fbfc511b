{# What pool_adjacent_violators is fed: the trials of each query by score, equal ones in the order of their places. #}
SELECT {{ scope }}query, score, target::BIGINT AS positives, (NOT target)::BIGINT AS negatives
FROM {{ quesst_trials }}
ORDER BY {{ scope }}query, score, place
