{# The clusters as sets of fragments (C_disc), in each fold: a fragment is in a cluster once. #}
{% import "term_discovery/exact/folds.jinja" as folds %}
WITH members AS (
    SELECT DISTINCT {{ shared(fragments) }}cluster, file, microseconds(onset) AS onset, microseconds("offset") AS "offset"
    FROM {{ fragments }}
)
{{ folds.in_folds("members", fragments, scope_columns, fold_intervals, file_talkers) }}
