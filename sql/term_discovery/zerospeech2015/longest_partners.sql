{# The members of groups. `partner_size` is the number of phones of the longest other member of the group that shares no
   time with the member, NULL where there is none. found_spans, covered_phones and the sizes need no more of the pairs
   of P_disc that share no time.

   The naive way compares every two members of a group. But a member that shares no time with another is in a different
   file, or ends before the other begins, or begins after the other ends, and for each of these the maximum is known
   without comparisons. In a different file: the maximum of the file with the longest members, or of the second such
   file. Before and after: running maxima in the order of offsets and of onsets.

   Example: a group has members of 4 and 3 phones at 0.0–0.4 and 1.0–1.3 s of file u, and a member of 5 phones in file
   v. Their partner sizes are 5, 5 and 4.

   The definition is pairs/pairs_disc.sql; tests/conformance/test_zerospeech2015_pairs.py compares the fragments that
   are in some pair. With overlap_across_files all times are compared as if there were one file. #}
{% set any_file = overlap_across_files.value %}
{% set place = scope ~ "cluster, pair_talker" ~ ("" if any_file else ", file") %}
{% macro on_place(alias) -%}
{{ alias }}.cluster = member_.cluster AND {{ alias }}.pair_talker = member_.pair_talker
    {{ "" if any_file else "AND " ~ alias ~ ".file = member_.file" }}{{ same(alias, cluster_members, "member_", cluster_members) }}
{%- endmacro %}
WITH members AS (
    SELECT *, coalesce(last_phone - first_phone + 1, 0) AS size FROM {{ cluster_members }}
),
{% if not any_file %}
-- the files of a group, ranked by their longest member: outside of a given file, the longest member is in rank 1 or 2
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
    ON first_.rank = 1 AND first_.cluster = member_.cluster AND first_.pair_talker = member_.pair_talker{{ same("first_", cluster_members, "member_", cluster_members) }}
LEFT JOIN files AS second_
    ON second_.rank = 2 AND second_.cluster = member_.cluster AND second_.pair_talker = member_.pair_talker{{ same("second_", cluster_members, "member_", cluster_members) }}
{% endif %}
ASOF LEFT JOIN ending AS before_ ON {{ on_place("before_") }} AND member_.reach_from >= before_.time
ASOF LEFT JOIN beginning AS after_ ON {{ on_place("after_") }} AND member_.reach_to <= after_.time
