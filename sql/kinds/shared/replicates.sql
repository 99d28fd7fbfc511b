{# The components of the metric in each replicate and slice. With folds, a component is the mean of the folds in which it
   is defined, as in `scores`. #}
{# Variables: the fields of ReplicateRows in plan/kinds/context.py. #}
{% from "kinds/shared/components.sql" import all_defined %}
SELECT replicate, breakdown, slice::VARCHAR AS slice,
{% for name in components %}
{% set value = "if(" ~ all_defined(components, remarked) ~ ", " ~ (name | name) ~ ", NULL)" if jointly else name | name %}
    {% if fold is none %}{{ value }}{% else %}coalesce(exact_mean(finite({{ value }}::DOUBLE)), {{ none_left[name] }}){% endif %}::DOUBLE AS {{ name | name }}{{ "," if not loop.last }}
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
