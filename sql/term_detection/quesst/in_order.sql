{# What pool_adjacent_violators is fed: the trials by score, equal ones in the order of their places. #}
SELECT {{ scope }}score, target::BIGINT AS positives, (NOT target)::BIGINT AS negatives
FROM {{ quesst_trials }}
ORDER BY {{ scope }}score, place
