{# The clusters and talkers with a pair of fragments of one talker: the cluster has at least two lines of the submission
   in files of the talker. Files of unknown talkers are left out. #}
{# This is a separate relation so that fold_fragments can be divided by file: the members of a cluster are in many
   files. #}
{% import "term_discovery/shared/folds.jinja" as folds with context %}
SELECT cluster, talker
FROM (
{{ folds.in_folds(fragments, seconds=true) | indent(4, true) }}
)
WHERE talker IS NOT NULL
GROUP BY ALL
HAVING count(*) > 1
