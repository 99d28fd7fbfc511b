{# The clusters and speakers with a pair of fragments of one speaker: the cluster has at least two lines of the
   submission in recordings of the speaker. Recordings of unknown speakers are left out. #}
{# This is a separate relation so that fold_fragments can be divided by recording: the members of a cluster are in many
   recordings. #}
{% import "term_discovery/shared/folds.jinja" as folds with context %}
SELECT cluster, talker
FROM (
{{ folds.in_folds(fragments, seconds=true) | indent(4, true) }}
)
WHERE talker IS NOT NULL
GROUP BY ALL
HAVING count(*) > 1
