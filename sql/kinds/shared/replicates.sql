{# The components of the metric in each replicate and slice. With folds, a component is the mean of the folds in which it
   is defined, as in `scores`. #}
{# Variables: the fields of ReplicateRows in compiler/kinds/context.py. #}
{% from "kinds/shared/components.sql" import kept_value %}
SELECT replicate, breakdown, slice::VARCHAR AS slice,
{% for name in components %}
{% set value = kept_value(name, components, remarked, jointly) %}
    {% if fold is none %}({{ value }}){% else %}coalesce(exact_mean(finite({{ value }})), {{ none_left[name] }}){% endif %}::DOUBLE AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM (
{{ wide }}
)
{% if standing %}
WHERE breakdown > 0
{% endif %}
{% if fold is not none %}
GROUP BY replicate, breakdown, slice
{% endif %}
ORDER BY replicate, breakdown, slice
