{# The pairs of members of a group that share time, they or the phones of their transcriptions. To find them each member
   is laid into slots of twice the mean length; a pair is taken in the slot where the later of the two begins. #}
{% import "term_discovery/exact/overlap.jinja" as overlap %}
WITH members AS (
    SELECT *, row_number() OVER (ORDER BY {{ scope }}cluster, pair_talker, file, onset, "offset") AS member FROM {{ pair_groups }}
),
slots AS (
    SELECT greatest(2 * avg(reach_to - reach_from), 1)::BIGINT AS width FROM members
),
laid AS (
    SELECT members.*, width, unnest(range(reach_from // width, reach_to // width + 1)) AS slot FROM members, slots
)
SELECT {{ scope }}cluster, pair_talker, file, a.onset AS onset_a, a."offset" AS offset_a, a.text AS text_a,
    a.first_phone AS first_a, a.last_phone AS last_a, b.onset AS onset_b, b."offset" AS offset_b, b.text AS text_b,
    b.first_phone AS first_b, b.last_phone AS last_b,
    {{ overlap.overlap("a.onset", 'a."offset"', "b.onset", 'b."offset"', overlap_fraction) }} AS overlap
FROM laid AS a
JOIN laid AS b USING ({{ scope }}cluster, pair_talker, file, slot)
WHERE a.member < b.member AND a.reach_from < b.reach_to AND b.reach_from < a.reach_to
    AND slot = greatest(a.reach_from, b.reach_from) // a.width
