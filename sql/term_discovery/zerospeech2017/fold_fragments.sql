{# The fragments as submitted, in each fold. With talkers = within a cluster is parted by talker, and fragments that are
   left alone are left out. #}
{% import "term_discovery/zerospeech2017/fold_rows.jinja" as fold_rows %}
{% if talkers.value == "within" %}
SELECT * REPLACE (concat(cluster, ' (', talker, ')') AS cluster)
FROM (
{{ fold_rows.in_fold(fragments, scope_columns, fold_intervals, file_talkers) }}
) AS fragment_
WHERE talker IS NOT NULL
QUALIFY count(*) OVER (PARTITION BY {{ scope }}fragment_.cluster, talker) > 1
{% else %}
{{ fold_rows.in_fold(fragments, scope_columns, fold_intervals, file_talkers) }}
{% endif %}
