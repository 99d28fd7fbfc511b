{# The members of clusters. `partner_size` is the number of phones of the longest other member of the cluster that
   shares no time with the member, or NULL if there is none. (Two members share time if they do so when each is extended
   to the edges of its first and last phone.)

   By definition, every two members of a cluster are compared. Here three maxima replace the comparisons, because a
   member that shares no time with another is in another recording, ends before the other begins, or begins after the
   other ends. The longest member in another recording is in the recording with the longest member of the cluster or,
   for members of that recording, in the recording with the second longest. The longest member before and the longest
   member after are running maxima in the order of offsets and onsets.

   For example, a cluster has members of 4 and 3 phones at 0.0–0.4 and 1.0–1.3 s of file u, and a member of 5 phones in
   file v. Their partner sizes are 5, 5 and 4.

   The enumerated form is pairs/pairs_disc.sql; tests/conformance/test_zerospeech2015_pairs.py compares the fragments
   that are in at least one pair. With overlap_across_files, times are compared as if all recordings were one. #}
{% set any_file = overlap_across_files.value %}
{% set place = "cluster, pair_speaker" ~ ("" if any_file else ", file") %}
{% macro on_place(alias) -%}
{{ alias }}.cluster = member_.cluster AND {{ alias }}.pair_speaker = member_.pair_speaker
    {{ "" if any_file else "AND " ~ alias ~ ".file = member_.file" }}
{%- endmacro %}
WITH members AS (
    SELECT *, coalesce(last_phone - first_phone + 1, 0) AS size FROM {{ cluster_members }}
),
{% if not any_file %}
-- The recordings of a cluster, ranked by their longest member. The longest partner in another recording is in the
-- recording of rank 1 or, for a fragment of that recording, in the recording of rank 2.
files AS (
    SELECT cluster, pair_speaker, file, max(size) AS size,
        row_number() OVER (PARTITION BY cluster, pair_speaker ORDER BY max(size) DESC, file) AS rank
    FROM members
    GROUP BY cluster, pair_speaker, file
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
SELECT member_.* EXCLUDE (size, text, times_listed), member_.size AS span_size,
    greatest(
{% if not any_file %}
        if(first_.file = member_.file, second_.size, first_.size),
{% endif %}
        before_.size, after_.size) AS partner_size
FROM members AS member_
{% if not any_file %}
JOIN files AS first_
    ON first_.rank = 1 AND first_.cluster = member_.cluster AND first_.pair_speaker = member_.pair_speaker
LEFT JOIN files AS second_
    ON second_.rank = 2 AND second_.cluster = member_.cluster AND second_.pair_speaker = member_.pair_speaker
{% endif %}
ASOF LEFT JOIN ending AS before_ ON {{ on_place("before_") }} AND member_.reach_from >= before_.time
ASOF LEFT JOIN beginning AS after_ ON {{ on_place("after_") }} AND member_.reach_to <= after_.time
