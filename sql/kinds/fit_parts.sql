{# The slices to which calibrations are fitted, numbered as parts, each with the prior and the total weights of its
   positives and of its negatives. #}
{# Context: as for slices.sql, and prior (SQL). #}
{% import "kinds/slices.sql" as slices with context %}
{% set keys = (by + (slice_columns | list)) | unique | list %}
WITH sums AS (
{{ slices.sums([]) }}
)
SELECT *, ({{ prior }})::DOUBLE AS prior,
    row_number() OVER (ORDER BY breakdown{% for column in keys %}, {{ column | name }}{% endfor %}) AS part
FROM (
    SELECT sums.* REPLACE (sums.positives::DOUBLE AS positives, sums.negatives::DOUBLE AS negatives){% for name in given_values %}, given.{{ name | name }}{% endfor %}

    FROM sums
{{ slices.joined_given() | indent(4, true) }}
)
