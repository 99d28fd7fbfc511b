{# Every kind but `formula`: the values of a scope, so that a slice without rows of the metric has its scores too.
   Context: columns (the scope's), origins (the tables and relations in which it begins). #}
{% for origin in origins %}
SELECT DISTINCT {{ columns | names }} FROM {{ origin }}
{{ "UNION" if not loop.last }}
{% endfor %}
