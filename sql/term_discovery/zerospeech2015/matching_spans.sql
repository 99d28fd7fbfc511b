{# The spans in pairs of P_disc* (found), of P_all (gold), and of both. #}
{% set span = scope ~ "file, phone, size" %}
SELECT {{ span }}, coalesce(in_found, false) AS in_found, coalesce(in_gold, false) AS in_gold, coalesce(in_both, false) AS in_both
FROM (SELECT {{ span }}, true AS in_found FROM {{ found_spans }})
FULL JOIN (SELECT {{ span }}, true AS in_gold FROM {{ all_spans }}) USING ({{ span }})
FULL JOIN (SELECT {{ span }}, true AS in_both FROM {{ both_spans }}) USING ({{ span }})
