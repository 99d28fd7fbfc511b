{# The rows that a metric adds to `scores`: one per slice and component.
   Context: position (of the metric), variant (0 the standing slices, then each --by), metric, wide,
   components, fold (the fold column or none), jointly (an undefined component drops the fold from all), none_left. #}
{% macro kept_value(name) %}
{% if jointly %}
if({% for each in components %}{{ each | name }} IS NOT NULL{{ " AND " if not loop.last }}{% endfor %}, {{ name | name }}, NULL)::DOUBLE
{%- else %}
{{ name | name }}::DOUBLE
{%- endif %}
{% endmacro %}
{% macro components_of() %}
SELECT {{ fold_columns | comma_ended }}slice, breakdown, note, unnest([
{% for name in components %}
        {'place': {{ loop.index0 }}, 'component': '{{ name }}', 'value': {{ kept_value(name) }}}{{ "," if not loop.last }}
{% endfor %}
    ], recursive := true)
    FROM {{ wide | name }}
{%- endmacro %}
{% if fold is none %}
SELECT {{ position }} AS position, {{ variant }} AS variant, breakdown, place, {{ metric | text }} AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    {{ components_of() }}
)
{% else %}
SELECT {{ position }} AS position, {{ variant }} AS variant, breakdown, place, {{ metric | text }} AS metric, component,
    slice, coalesce(mean, {{ none_left }}) AS value, sqrt(exact_mean((value - mean) ** 2)) AS std, count(value) AS folds,
    CASE WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < fold_count THEN concat('undefined in ', fold_count - count(value), ' of ', fold_count, ' folds')
    END AS note
FROM (
    SELECT * REPLACE (finite(value) AS value),
        exact_mean(finite(value)) OVER (PARTITION BY slice, component) AS mean,
        (SELECT count(DISTINCT {{ fold | name }}) FROM {{ wide | name }}) AS fold_count
    FROM (
    {{ components_of() }}
    )
)
GROUP BY slice, breakdown, place, component, mean, fold_count
{% endif %}
