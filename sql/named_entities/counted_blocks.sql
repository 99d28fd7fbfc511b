{# The blocks, each with how many correct ones come before it: how many there are between two is a difference. #}
SELECT document, block, ref_begin, ref_end, hyp_begin, hyp_end, correct,
    count_if(correct) OVER (PARTITION BY document ORDER BY block) - correct::BIGINT AS correct_before
FROM {{ blocks }}
