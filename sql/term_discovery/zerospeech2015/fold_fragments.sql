{# The clusters of each fold as sets of fragments (C_disc): one row per distinct fragment of a cluster. `times_listed`
   is the number of lines of the submission on which the cluster has the fragment. With clip = utterance, fragments are
   cut to utterances (clipped_fragments), and a fragment in no utterance is left out. #}
{% import "term_discovery/shared/folds.jinja" as folds with context %}
WITH members AS (
{% if clip.value == "utterance" %}
    SELECT cluster, file, clipped_onset AS onset, clipped_offset AS "offset", count(*) AS times_listed
    FROM {{ clipped_fragments }}
    WHERE clipped_onset IS NOT NULL
{% else %}
    SELECT cluster, file, {{ times.value }}(onset) AS onset, {{ times.value }}("offset") AS "offset", count(*) AS times_listed
    FROM {{ fragments }}
{% endif %}
    GROUP BY ALL
)
{{ folds.in_folds("members") }}
