{# The distinct onsets and offsets of phones, each with the phone `boundary` that it belongs to. Times that follow each
   other by at most `pause` (1 ms) are one boundary, and the earliest of them identifies it: 0.100, 0.101 and 0.102 s
   are the boundary 0.100 s. #}
WITH times AS (
    SELECT DISTINCT file, unnest([onset, "offset"]) AS time FROM {{ fold_phones }}
),
chained AS (
    SELECT *, coalesce(time > lag(time) OVER in_file + {{ times.value }}({{ pause }}), true) AS begins
    FROM times
    WINDOW in_file AS (PARTITION BY file ORDER BY time)
),
numbered AS (
    SELECT *, count_if(begins) OVER (PARTITION BY file ORDER BY time ROWS UNBOUNDED PRECEDING) AS boundary
    FROM chained
)
SELECT file, time, first_value(time) OVER (PARTITION BY file, boundary ORDER BY time) AS boundary
FROM numbered
