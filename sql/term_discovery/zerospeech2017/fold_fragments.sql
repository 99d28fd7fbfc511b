{# The fragments, one row for each line of the submission, with the speaker of the recording. With folds, the fragments
   of each fold (parameter `inside`).

   With speakers = within, each cluster is divided by speaker: the members of cluster 7 that speaker A speaks form the
   cluster `7 (A)`. Members whose speaker is unknown are left out. Members without another member of their speaker in
   the cluster are left out too, because they are in no pair of one speaker. #}
{% import "term_discovery/shared/folds.jinja" as folds with context %}
{% if speakers.value == "within" %}
SELECT * REPLACE (concat(fragment_.cluster, ' (', speaker, ')') AS cluster)
FROM (
{{ folds.in_folds(fragments, seconds=true, known_only=true) | indent(4, true) }}
) AS fragment_
SEMI JOIN (FROM {{ speaker_pairs }} WHERE members > 1) USING (cluster, speaker)
{% else %}
{{ folds.in_folds(fragments, seconds=true) }}
{% endif %}
