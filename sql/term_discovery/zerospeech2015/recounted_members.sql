{# The members whose sub-spans can be aligned with another sub-span in more than one way, or can be aligned in a pair of
   members that overlap. Only their sub-spans need to be listed (recounted_subspans). Those of all other members are counted
   by the lengths of members alone (macro `partners`).

   By definition, all sub-spans are listed, and those pairs are counted that are aligned in two pairs of members (I, J)
   and (K, L): I and K contain the first sub-span, J and L the second. If all four are in one cluster, two members of the
   cluster share time, so near_pairs has them, and all members of such a cluster are listed here. If I and J are in one
   cluster and K and L in another, two members of the one cluster share phones with members of the other. So from clusters
   that share phones in at least two pairs of members, those members are listed.

   For example, cluster 2 has ab at 2.0 s, ab at 3.0 s and cd at 4.0 s; cluster 3 has the same two ab and bc. The two
   clusters share phones in two pairs of members, so the four ab are listed. A cluster that shares only cd with cluster 2
   has no member here. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
{% set member = "cluster, pair_speaker, file, first_phone, span_size" %}
WITH sharing AS (
    SELECT a, b
    FROM {{ subspans.starts(distinct_members) }} AS a
    JOIN {{ distinct_members }} AS b
        ON b.file = a.file AND b.first_phone = a.first_phone + a.before
    WHERE a.cluster <> b.cluster AND (before > 0 OR a.cluster < b.cluster)
    QUALIFY count(*) OVER (PARTITION BY a.pair_speaker, least(a.cluster, b.cluster), greatest(a.cluster, b.cluster)) > 1
)
SELECT {{ member }} FROM {{ distinct_members }} SEMI JOIN {{ near_pairs }} USING (cluster, pair_speaker)
UNION ALL
SELECT {{ member }} FROM (SELECT unnest(a) FROM sharing)
UNION ALL
SELECT {{ member }} FROM (SELECT unnest(b) FROM sharing)
