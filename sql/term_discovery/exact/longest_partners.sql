{# Each member of a group with the number of phones of the longest other that shares no time with it: of another
   file, or before it, or after it. NULL where there is none. #}
WITH members AS (
    SELECT *, coalesce(last_phone - first_phone + 1, 0) AS size FROM {{ pair_groups }}
),
-- the two longest files of a group: of any file, the longest other is one of them
files AS (
    SELECT {{ scope }}cluster, pair_talker, file, max(size) AS size,
        row_number() OVER (PARTITION BY {{ scope }}cluster, pair_talker ORDER BY max(size) DESC, file) AS rank
    FROM members
    GROUP BY {{ scope }}cluster, pair_talker, file
),
ending AS (
    SELECT {{ scope }}cluster, pair_talker, file, reach_to AS time,
        max(max(size)) OVER (PARTITION BY {{ scope }}cluster, pair_talker, file ORDER BY reach_to) AS size
    FROM members
    GROUP BY {{ scope }}cluster, pair_talker, file, reach_to
),
beginning AS (
    SELECT {{ scope }}cluster, pair_talker, file, reach_from AS time,
        max(max(size)) OVER (PARTITION BY {{ scope }}cluster, pair_talker, file ORDER BY reach_from DESC) AS size
    FROM members
    GROUP BY {{ scope }}cluster, pair_talker, file, reach_from
)
SELECT member_.* EXCLUDE (size), member_.size AS span_size, greatest(if(first_.file = member_.file, second_.size, first_.size), before_.size, after_.size) AS partner_size
FROM members AS member_
JOIN files AS first_
    ON first_.rank = 1 AND first_.cluster = member_.cluster AND first_.pair_talker = member_.pair_talker{{ same("first_", pair_groups, "member_", pair_groups) }}
LEFT JOIN files AS second_
    ON second_.rank = 2 AND second_.cluster = member_.cluster AND second_.pair_talker = member_.pair_talker{{ same("second_", pair_groups, "member_", pair_groups) }}
ASOF LEFT JOIN ending AS before_
    ON before_.cluster = member_.cluster AND before_.pair_talker = member_.pair_talker AND before_.file = member_.file
    {{ same("before_", pair_groups, "member_", pair_groups) }} AND member_.reach_from >= before_.time
ASOF LEFT JOIN beginning AS after_
    ON after_.cluster = member_.cluster AND after_.pair_talker = member_.pair_talker AND after_.file = member_.file
    {{ same("after_", pair_groups, "member_", pair_groups) }} AND member_.reach_to <= after_.time
