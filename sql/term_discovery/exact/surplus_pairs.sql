{# Pairs that counting by groups counts too often: all that overlap, and of the others those that several groups make,
   once for every group but one. `times` is how often. #}
WITH overlapping AS (
    SELECT {{ scope }}(file, onset_a, offset_a) AS a, (file, onset_b, offset_b) AS b, text_a, text_b, count(*) AS times
    FROM {{ near_pairs }}
    WHERE overlap
    GROUP BY ALL
),
in_several AS (
    SELECT *, (file, onset, "offset") AS fragment
    FROM {{ pair_groups }}
    QUALIFY count(*) OVER (PARTITION BY {{ scope }}file, onset, "offset") > 1
),
repeated AS (
    SELECT {{ scope }}a.fragment AS a, b.fragment AS b, a.text AS text_a, b.text AS text_b, count(*) - 1 AS times
    FROM in_several AS a
    JOIN in_several AS b USING ({{ scope }}cluster, talker)
    WHERE a.fragment < b.fragment
    GROUP BY ALL
    HAVING count(*) > 1
)
SELECT {{ scope }}text_a, text_b, sum(times)::BIGINT AS times
FROM (
    SELECT * FROM overlapping
    UNION ALL
    SELECT * FROM repeated ANTI JOIN overlapping USING ({{ scope }}a, b)
)
GROUP BY ALL
