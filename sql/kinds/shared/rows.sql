{# The rows of the metric in `scores`, one for each slice and component. With folds, `value` is the mean of the folds in
   which the component is defined, `std` their population standard deviation and `folds` their number. With `each_fold`
   there is also a row for each fold, whose slice names the fold. The mean is computed from the values of these rows. The
   column `whole`, the slice without its fold, orders the rows. #}
{# Variables: the fields of ScoreRows in compiler/kinds/context.py. #}
{% from "kinds/shared/components.sql" import kept_value %}
{% macro remark_of(name) %}
{% if remarked %}, 'remark': {{ "remark" if name in remarked else "NULL::VARCHAR" }}{% endif %}
{% endmacro %}
{% macro components_of(table) %}
SELECT {{ ([fold] if fold is not none else []) | comma_ended }}slice, breakdown, note, unnest([
{% for name in components %}
    {'place': {{ loop.index0 }}, 'component': '{{ name }}', 'value': {{ kept_value(name, components, remarked, jointly) }}{{ remark_of(name) }}{% if fold is not none %}, 'none_left': {{ none_left[name] }}{% if each_fold %}, 'alone': {{ name | name }}::DOUBLE{% endif %}{% endif %}}{{ "," if not loop.last }}
{% endfor %}
], recursive := true)
FROM {{ table }}
{% if standing %}
WHERE breakdown > 0
{% endif %}
{%- endmacro %}
{% if fold is none %}
SELECT {{ position }} AS position, {{ variant }} AS variant, breakdown, place, {{ metric | text }} AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    {{ "coalesce(remark, remark(value, note))" if remarked else "remark(value, note)" }} AS note{{ ', slice AS whole' if each_fold }}
FROM (
    {{ components_of(wide) | indent }}
)
{% else %}
{% set table %}
(FROM {{ wide }}{% if overall is not none %} UNION ALL BY NAME SELECT {{ overall }} AS slice, 0 AS breakdown{% endif %})
{%- endset %}
{% if each_fold %}
FROM (
WITH fold_rows AS MATERIALIZED (
    {{ components_of(table) | indent }}
)
{% endif %}
SELECT {{ position }} AS position, {{ variant }} AS variant, breakdown, place, {{ metric | text }} AS metric, component,
    slice, coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY {{ fold | name }})) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note{{ ', slice AS whole' if each_fold }}
FROM (
    SELECT * REPLACE (finite(value) AS value),
        (SELECT count(*) FROM (SELECT DISTINCT {{ fold | name }} FROM {{ wide }})) AS fold_count
    FROM {% if each_fold %}fold_rows{% else %}(
        {{ components_of(table) | indent(8) }}
    ){% endif %}

)
GROUP BY slice, breakdown, place, component
{% if each_fold %}
UNION ALL
SELECT {{ position }} AS position, {{ variant }} AS variant, breakdown, place, {{ metric | text }} AS metric, component,
    json_merge_patch(slice, json_object({{ fold_label | text }}, {{ fold | name }})) AS slice, finite(value) AS value,
    NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    CASE WHEN isfinite(alone) AND value IS NULL THEN 'undefined: another component is undefined in this fold'
         ELSE {{ "coalesce(remark, remark(alone, note))" if remarked else "remark(alone, note)" }}
    END AS note, slice AS whole
FROM (SELECT DISTINCT slice, breakdown, place, component FROM fold_rows)
CROSS JOIN (SELECT DISTINCT {{ fold | name }} FROM {{ wide }})
LEFT JOIN fold_rows USING ({{ fold | name }}, slice, breakdown, place, component)
)
{% endif %}
{% endif %}
