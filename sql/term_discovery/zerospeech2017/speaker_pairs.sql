{# The clusters and speakers, with the number of lines of the submission that the cluster has in recordings of the
   speaker. With two or more, there is a pair of fragments of one speaker. #}
{# This is a separate relation so that fold_fragments can be divided by recording: the members of a cluster are in many
   recordings. #}
{% import "term_discovery/shared/folds.jinja" as folds with context %}
SELECT cluster, speaker, count(*) AS members
FROM (
{{ folds.in_folds(fragments, seconds=true, known_only=true) | indent(4, true) }}
)
GROUP BY ALL
