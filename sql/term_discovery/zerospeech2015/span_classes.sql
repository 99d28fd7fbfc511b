{# The sub-spans of a group by what decides whom they meet on a diagonal: their size, and how many phones of the fragment
   are before and after them. `partners` is how many sub-spans a sub-span meets in its group: in a longer fragment as many
   as there are offsets, in a shorter one as many as its place allows. Those of one size in one group are a `size_group`. #}
WITH lengths AS (
    SELECT {{ scope }}cluster, pair_talker, span_size, count(*) AS spans
    FROM (SELECT DISTINCT {{ scope }}cluster, pair_talker, file, first_phone, span_size FROM {{ longest_partners }})
    GROUP BY ALL
),
classes AS (
    SELECT DISTINCT {{ scope }}cluster, pair_talker, size, before, after FROM {{ disc_subspans }}
),
counted AS (
    SELECT classes.*, sum(spans * if(span_size >= before + size + after, span_size - (before + size + after),
        least(before, span_size - size) - greatest(0, span_size - size - after)) + spans) - 1 AS partners
    FROM classes
    JOIN lengths USING ({{ scope }}cluster, pair_talker)
    WHERE span_size >= size
    GROUP BY ALL
)
SELECT *, row_number() OVER () AS class, dense_rank() OVER (ORDER BY {{ scope }}cluster, pair_talker, size) AS size_group
FROM counted
