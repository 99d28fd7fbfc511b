{# The boundaries of phones in each file: times at most `pause` after the one before are one, the earliest. #}
{% import "term_discovery/shared/times.jinja" as t with context %}
WITH times AS (
    SELECT DISTINCT {{ scope }}file, unnest([onset, "offset"]) AS time FROM {{ fold_phones }}
),
chained AS (
    SELECT *, coalesce(time > lag(time) OVER in_file + {{ t.time(pause) }}, true) AS begins
    FROM times
    WINDOW in_file AS (PARTITION BY {{ scope }}file ORDER BY time)
),
numbered AS (
    SELECT *, count_if(begins) OVER (PARTITION BY {{ scope }}file ORDER BY time ROWS UNBOUNDED PRECEDING) AS boundary
    FROM chained
)
SELECT {{ scope }}file, time, first_value(time) OVER (PARTITION BY {{ scope }}file, boundary ORDER BY time) AS boundary
FROM numbered
