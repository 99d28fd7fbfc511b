{# Kind `overlap`: one row per distinct element of either side, with the sides it is on.
   Context: found, gold, match_on, keys (scope, slice and unit columns). #}
{% set columns = (keys + match_on) | unique | list %}
(
    SELECT {{ columns | names }}, coalesce(in_found, false) AS in_found, coalesce(in_gold, false) AS in_gold
    FROM (SELECT DISTINCT {{ columns | names }}, true AS in_found FROM {{ found }})
    FULL JOIN (SELECT DISTINCT {{ columns | names }}, true AS in_gold FROM {{ gold }})
    USING ({{ columns | names }})
)
