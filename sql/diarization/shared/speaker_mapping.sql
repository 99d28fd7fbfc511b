{# The function is given every pair of speakers. Pairs without a common time are not mapped. #}
SELECT pair_.*
FROM {{ rows }} AS row_
JOIN (FROM {{ speakers }} WHERE side = 'reference') AS reference_ ON row_.doc = reference_.doc AND left_row = reference_.number
JOIN (FROM {{ speakers }} WHERE side = 'hypothesis') AS hypothesis_ ON row_.doc = hypothesis_.doc AND right_row = hypothesis_.number
JOIN {{ pair_times }} AS pair_
    ON row_.doc = pair_.doc AND reference_speaker = reference_.speaker AND hypothesis_speaker = hypothesis_.speaker
WHERE mapping_time > 0
