{# The rows of metrics in `scores`, one for each slice and component of a metric. With folds, `value` is the mean of the folds
   in which the component is defined, `std` their population standard deviation and `folds` their number. With `each_fold`
   there is also a row for each fold, whose slice names the fold. The column `whole`, the slice without its fold, orders
   the rows. #}
{# Variables: the fields of ScoreRows in plan/kinds/context.py. #}
{% from "kinds/shared/components.sql" import all_defined %}
{# The components of metrics, with one row for each slice and component. With a `fold`, each fold has such a row. `kept` says
   whether the fold counts in the mean. The `overall` slice has one more row, with `listed` NULL, so that the slice
   is there even if there are no folds. #}
{% macro components_of(metrics, fold, remarked) %}
{% for metric in metrics %}
SELECT {{ metric.position }} AS position, {{ metric.variant }} AS variant, {{ metric.metric | text }} AS metric, slice, breakdown, note,
{% if fold is not none %}
    {{ fold | name }} AS fold, "in a fold" AS listed, {{ all_defined(metric.components, metric.remarked) if metric.jointly else "true" }} AS kept,
{% endif %}
    unnest([
{% for name in metric.components %}
        {'place': {{ loop.index0 }}, 'component': '{{ name }}', 'value': {{ name | name }}::DOUBLE
{%- if remarked %}, 'remark': {{ "remark" if name in metric.remarked else "NULL::VARCHAR" }}{% endif %}
{%- if fold is not none %}, 'none_left': {{ metric.none_left[name] }}{% endif %}}{{ "," if not loop.last }}
{% endfor %}
    ], recursive := true)
FROM {% if fold is none %}{{ metric.wide }}{% else %}(SELECT *, true AS "in a fold" FROM {{ metric.wide }}{% if metric.overall is not none %} UNION ALL BY NAME SELECT {{ metric.overall }} AS slice, 0 AS breakdown{% endif %}){% endif %}

{% if metric.standing %}
WHERE breakdown > 0
{% endif %}
{{ "UNION ALL" if not loop.last }}
{% endfor %}
{% endmacro %}
{# The means of components over folds and, with `each_fold`, the components of each fold. #}
{% macro over_folds(metrics, fold, fold_label, remarked) %}
WITH fold_rows AS MATERIALIZED (
    {{ components_of(metrics, fold, remarked) | indent }}
),
fold_counts AS (
    SELECT position, variant, count(DISTINCT {'fold': fold}) FILTER (listed) AS fold_count FROM fold_rows GROUP BY ALL
)
SELECT position, variant, breakdown, place, metric, component, slice,
    coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY fold)) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note{{ ', slice AS whole' if each_fold }}
FROM (SELECT * REPLACE (if(kept, finite(value), NULL) AS value) FROM fold_rows) JOIN fold_counts USING (position, variant)
GROUP BY position, variant, metric, slice, breakdown, place, component
{% if each_fold %}
UNION ALL
SELECT position, variant, breakdown, place, metric, component,
    json_merge_patch(slice, json_object({{ fold_label | text }}, fold)) AS slice, if(kept, finite(value), NULL) AS value,
    NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    CASE WHEN isfinite(value) AND NOT kept THEN 'undefined: another component is undefined in this fold'
         ELSE {{ "coalesce(remark, remark(value, note))" if remarked else "remark(value, note)" }}
    END AS note, slice AS whole
FROM (SELECT DISTINCT position, variant, metric, slice, breakdown, place, component FROM fold_rows)
JOIN (SELECT DISTINCT position, variant, fold FROM fold_rows WHERE listed) USING (position, variant)
LEFT JOIN fold_rows USING (position, variant, metric, slice, breakdown, place, component, fold)
{% endif %}
{% endmacro %}
{% for fold, fold_label, metrics in by_fold %}
{% set remarked = metrics | selectattr("remarked") | list %}
{% if fold is none %}
SELECT position, variant, breakdown, place, metric, component, slice, finite(value) AS value,
    NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    {{ "coalesce(remark, remark(value, note))" if remarked else "remark(value, note)" }} AS note{{ ', slice AS whole' if each_fold }}
FROM (
    {{ components_of(metrics, fold, remarked) | indent }}
)
{% else %}
FROM (
    {{ over_folds(metrics, fold, fold_label, remarked) | indent }}
)
{% endif %}
{{ "UNION ALL" if not loop.last }}
{% endfor %}
