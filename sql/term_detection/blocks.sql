{# The blocks over which rates are averaged: a query each, or one of all queries. #}
SELECT *, count(*) OVER ({{ "PARTITION BY " ~ (scope_columns | names) if scope_columns }}) AS blocks
FROM (SELECT DISTINCT {{ scope }}block FROM {{ scored_queries }}), (SELECT beta FROM {{ operating_point }})
