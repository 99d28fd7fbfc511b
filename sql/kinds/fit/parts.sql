{# The slices to which calibrations are fitted, numbered as parts, each with the prior and the total weights of its
   positives and of its negatives. #}
{# Variables: the fields of Parts in plan/kinds/fit.py. #}
{% from "kinds/shared/slices.sql" import sums %}
{% from "kinds/shared/components.sql" import joined_given %}
WITH sums AS (
{{ sums(slices, statistics) }}
)
SELECT *, ({{ prior }})::DOUBLE AS prior,
    row_number() OVER (ORDER BY breakdown{% for column in slices.keys %}, {{ column | name }}{% endfor %}) AS part
FROM (
    SELECT sums.* REPLACE (sums.positives::DOUBLE AS positives, sums.negatives::DOUBLE AS negatives){% for name in (given.columns if given else ()) %}, given.{{ name | name }}{% endfor %}

    FROM sums
{{ joined_given(given) | indent(4, true) }}
)
