{# Pairs that counting by groups counts too often: all that overlap by more than `overlap_fraction` of the shorter,
   and of the others those that several groups make, once for every group but one. `times` is how often. #}
WITH members AS (
    SELECT {{ scope }}cluster, talker, text, file, onset, "offset", (file, onset, "offset") AS fragment
    FROM {{ pair_groups }}
),
overlapping AS (
    SELECT {{ scope }}a.fragment AS a, b.fragment AS b, a.text AS text_a, b.text AS text_b, count(*) AS times
    FROM members AS a
    JOIN members AS b USING ({{ scope }}cluster, talker, file)
    WHERE a.fragment < b.fragment AND a.onset < b."offset" AND b.onset < a."offset"
        AND least(a."offset", b."offset") - greatest(a.onset, b.onset)
            > {{ overlap_fraction }} * least(a."offset" - a.onset, b."offset" - b.onset)
    GROUP BY ALL
),
in_several AS (
    SELECT * FROM members QUALIFY count(*) OVER (PARTITION BY {{ scope }}fragment) > 1
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
