{# The optimised component, and those whose intervals a curve keeps, at given points of replicates: from the sums of the
   accepted rows of a point, and the sums of all rows of its replicate. #}
{# Variables: the fields of Objective in plan/kinds/sweep.py. #}
{% from "kinds/sweep/points.sql" import at_points %}
WITH {{ at_points(sweep, [], hidden) }}
SELECT replicate, rank,
{% for name in names %}
    {{ name | name }}::DOUBLE AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM at_points
ORDER BY replicate, rank
