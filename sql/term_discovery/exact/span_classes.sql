{# The sub-spans of a group by what decides whom they meet on a diagonal: how many phones of the fragment are before and
   after them. #}
SELECT *, row_number() OVER () AS class
FROM (SELECT DISTINCT {{ scope }}cluster, pair_talker, size, before, after FROM {{ disc_subspans }})
