{# All values of the columns of a breakdown or of folds, so that a value for which the metric has no rows also gets
   scores. #}
{# Context: columns (of the scope), origins (the tables and relations that the scope columns come from). #}
{% for origin in origins %}
SELECT DISTINCT {{ columns | names }} FROM {{ origin }}
{{ "UNION" if not loop.last }}
{% endfor %}
