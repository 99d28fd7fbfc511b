{# All values of the columns of a breakdown or of folds, so that a value without rows of the metric also gets scores. #}
{# Variables: the fields of ScopeValues in plan/kinds/context.py. #}
{% for origin in origins %}
SELECT DISTINCT {{ columns | names }} FROM {{ origin }}
{{ "UNION" if not loop.last }}
{% endfor %}
