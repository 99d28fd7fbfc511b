{# The components in each replicate, from the sums of the costs of its blocks. The calibration is that of all rows, so that
   `slope` and `shift`, which a replicate does not fit, are NULL. #}
{# Variables: the fields of ReplicatedScores in compiler/kinds/fit.py. #}
{% from "kinds/shared/slices.sql" import sums %}
{% from "kinds/shared/components.sql" import computed, joined_given %}
WITH sums AS (
{{ sums(slices, sums_of_costs) }}
)
SELECT {{ slices.keys | comma_ended }}scope, slice, breakdown,
{{ computed(components) }}
    NULL::VARCHAR AS remark, NULL::VARCHAR AS note
FROM (
    SELECT *,
        shared_bits(prior, 1 - prior) AS prior_cost,
        CASE WHEN positives > 0 AND negatives > 0 AND prior > 0 AND prior < 1
            THEN prior * positive_bits / positives + (1 - prior) * negative_bits / negatives END AS cost,
        NULL::DOUBLE AS slope, NULL::DOUBLE AS shift
    FROM (
        SELECT *, ({{ prior }})::DOUBLE AS prior
        FROM (
            SELECT sums.*{% for name in (given.columns if given else ()) %}, given.{{ name | name }}{% endfor %}

            FROM sums
{{ joined_given(given) | indent(12, true) }}
        )
    )
)
