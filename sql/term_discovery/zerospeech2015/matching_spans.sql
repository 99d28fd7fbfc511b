{# The distinct spans of flat(P_disc*) (found), flat(P_all) (gold) and flat(P_disc* ∩ P_all) (both). The frequencies of
   transcriptions cancel in the published formulas, so matching precision is both / found and recall is both / gold. #}
{% set span = "file, phone, size" %}
SELECT {{ span }}, coalesce(in_found, false) AS in_found, coalesce(in_gold, false) AS in_gold, coalesce(in_both, false) AS in_both
FROM (SELECT {{ span }}, true AS in_found FROM {{ found_spans }})
FULL JOIN (SELECT {{ span }}, true AS in_gold FROM {{ gold_spans }}) USING ({{ span }})
FULL JOIN (SELECT {{ span }}, true AS in_both FROM {{ both_spans }}) USING ({{ span }})
