{# The spans in pairs of P_disc*: a sub-span meets one of every longer or equal member that shares no time with its
   own, and of those that do as touching_subspans says. The shorter ones that begin where such a span begins are such
   spans too, so that the longest stands for them all. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
WITH in_members AS MATERIALIZED (
    SELECT {{ scope }}file, first_phone + before AS phone, max(least(span_size - before, partner_size)) AS longest
    FROM {{ subspans.starts("(FROM " ~ longest_partners ~ " WHERE partner_size IS NOT NULL)") }}
    GROUP BY ALL
),
touching AS MATERIALIZED (
    SELECT {{ scope }}file, phone, max(size) AS longest_touching
    FROM (SELECT {{ scope }}unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone, size FROM {{ touching_subspans }})
    GROUP BY ALL
)
SELECT {{ scope }}file, phone, unnest({{ subspans.sizes("greatest(longest, longest_touching)") }}) AS size
FROM in_members
FULL JOIN touching USING ({{ scope }}file, phone)
