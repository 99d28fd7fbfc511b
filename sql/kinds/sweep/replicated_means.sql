{# The mean of each component over the units of each replicate, from the sums of its blocks. #}
{# Variables: the fields of ReplicatedMeans in plan/kinds/sweep.py. #}
{% for breakdown in slices.breakdowns %}
SELECT {{ slices.by | comma_ended }}slice, breakdown,
{% for name in components %}
    {{ name | name }} / nullif({{ (name ~ "_defined") | name }}, 0) AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM {{ breakdown.units }}
{{ "UNION ALL" if not loop.last }}
{% endfor %}
