{# The spans in pairs of P_disc*: a sub-span meets one of every longer or equal member that shares no time with its
   own, and of those that do as touching_subspans says. The shorter ones that begin where such a span begins are such
   spans too, so that the longest stands for them all. #}
{% import "term_discovery/exact/subspans.jinja" as subspans with context %}
SELECT {{ scope }}file, phone, unnest({{ subspans.sizes("longest") }}) AS size
FROM (
    SELECT {{ scope }}file, phone, max(longest) AS longest
    FROM (
        SELECT {{ scope }}file, first_phone + before AS phone, least(span_size - before, partner_size) AS longest
        FROM {{ subspans.starts("(FROM " ~ longest_partners ~ " WHERE partner_size IS NOT NULL)") }}
        UNION ALL
        SELECT {{ scope }}unnest([file_a, file_b]), unnest([phone_a, phone_b]), size FROM {{ touching_subspans }}
    )
    GROUP BY ALL
)
