{# The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows still has
   scores. #}
{# Context: columns (of the scope), origins (the tables and relations in which the scope columns begin). #}
{% for origin in origins %}
SELECT DISTINCT {{ columns | names }} FROM {{ origin }}
{{ "UNION" if not loop.last }}
{% endfor %}
