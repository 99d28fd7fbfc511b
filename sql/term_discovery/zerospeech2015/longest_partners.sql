{# Each member of a group with the number of phones of the longest other that shares no time with it: before it, or
   after it, or of another file (with overlap_across_files times are compared as if there were one file). NULL where
   there is none. #}
{% set any_file = overlap_across_files.value %}
{% set place = scope ~ "cluster, pair_talker" ~ ("" if any_file else ", file") %}
{% macro on_place(alias) -%}
{{ alias }}.cluster = member_.cluster AND {{ alias }}.pair_talker = member_.pair_talker
    {{ "" if any_file else "AND " ~ alias ~ ".file = member_.file" }}{{ same(alias, pair_groups, "member_", pair_groups) }}
{%- endmacro %}
WITH members AS (
    SELECT *, coalesce(last_phone - first_phone + 1, 0) AS size FROM {{ pair_groups }}
),
{% if not any_file %}
-- the two longest files of a group: of any file, the longest other is one of them
files AS (
    SELECT {{ scope }}cluster, pair_talker, file, max(size) AS size,
        row_number() OVER (PARTITION BY {{ scope }}cluster, pair_talker ORDER BY max(size) DESC, file) AS rank
    FROM members
    GROUP BY {{ scope }}cluster, pair_talker, file
),
{% endif %}
ending AS (
    SELECT {{ place }}, reach_to AS time, max(max(size)) OVER (PARTITION BY {{ place }} ORDER BY reach_to) AS size
    FROM members
    GROUP BY {{ place }}, reach_to
),
beginning AS (
    SELECT {{ place }}, reach_from AS time, max(max(size)) OVER (PARTITION BY {{ place }} ORDER BY reach_from DESC) AS size
    FROM members
    GROUP BY {{ place }}, reach_from
)
SELECT member_.* EXCLUDE (size), member_.size AS span_size,
    greatest(
{% if not any_file %}
        if(first_.file = member_.file, second_.size, first_.size),
{% endif %}
        before_.size, after_.size) AS partner_size
FROM members AS member_
{% if not any_file %}
JOIN files AS first_
    ON first_.rank = 1 AND first_.cluster = member_.cluster AND first_.pair_talker = member_.pair_talker{{ same("first_", pair_groups, "member_", pair_groups) }}
LEFT JOIN files AS second_
    ON second_.rank = 2 AND second_.cluster = member_.cluster AND second_.pair_talker = member_.pair_talker{{ same("second_", pair_groups, "member_", pair_groups) }}
{% endif %}
ASOF LEFT JOIN ending AS before_ ON {{ on_place("before_") }} AND member_.reach_from >= before_.time
ASOF LEFT JOIN beginning AS after_ ON {{ on_place("after_") }} AND member_.reach_to <= after_.time
