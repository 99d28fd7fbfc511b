{# The distinct elements of the relations found and gold, each with the relations that contain it. Two elements are equal
   if they agree in the columns of match_on; an element with NULL in one of these columns matches no other element.
   Precision is both / found, and recall is both / gold. #}
{# Variables: the fields of Elements in plan/kinds/overlap.py. #}
{% set columns = (keys + match_on) | unique | list %}
(
    SELECT {% for column in columns %}coalesce(found_.{{ column | name }}, gold_.{{ column | name }}) AS {{ column | name }}, {% endfor %}

        found_.in_found IS NOT NULL AS in_found, gold_.in_gold IS NOT NULL AS in_gold
    FROM (SELECT DISTINCT {{ columns | names }}, true AS in_found FROM {{ found }}) AS found_
    FULL JOIN (SELECT DISTINCT {{ columns | names }}, true AS in_gold FROM {{ gold }}) AS gold_
        ON {% for column in columns %}found_.{{ column | name }} {{ "=" if column in match_on else "IS NOT DISTINCT FROM" }} gold_.{{ column | name }}{{ " AND " if not loop.last }}{% endfor %}

)
