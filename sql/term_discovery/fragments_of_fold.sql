{# The fragments as submitted, one row for each line of the submission, with the talker of the file. With folds, the
   fragments of each fold: those whose midpoint lies in an interval of the fold.

   With talkers = within every cluster is split by talker: the members of cluster 7 that are of talker A form the
   cluster `7 (A)`. Left out are members whose talker is unknown and members without another member of their talker in
   the cluster, because they are in no pair of one talker. #}
{% import "term_discovery/fold_rows.jinja" as fold_rows %}
{% if talkers.value == "within" %}
SELECT * REPLACE (concat(cluster, ' (', talker, ')') AS cluster)
FROM (
{{ fold_rows.in_fold(fragments, scope_columns, fold_intervals, file_talkers) | indent(4, true) }}
) AS fragment_
WHERE talker IS NOT NULL
QUALIFY count(*) OVER (PARTITION BY {{ scope }}fragment_.cluster, talker) > 1
{% else %}
{{ fold_rows.in_fold(fragments, scope_columns, fold_intervals, file_talkers) }}
{% endif %}
