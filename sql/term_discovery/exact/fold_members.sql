{# The clusters as sets of fragments (C_disc) in each fold: one row for each distinct fragment of a cluster. `listed` is
   the number of lines on which the cluster has the fragment. With clip = utterance the fragments are the clipped ones
   (clipped_fragments); a fragment in no utterance has no row. #}
{% import "term_discovery/exact/times.jinja" as t with context %}
{% import "term_discovery/exact/folds.jinja" as folds with context %}
WITH members AS (
{% if clip.value == "utterance" %}
    SELECT {{ shared(clipped_fragments) }}cluster, file, clipped_onset AS onset, clipped_offset AS "offset", count(*) AS listed
    FROM {{ clipped_fragments }}
    WHERE clipped_onset IS NOT NULL
{% else %}
    SELECT {{ shared(fragments) }}cluster, file, {{ t.time("onset") }} AS onset, {{ t.time('"offset"') }} AS "offset", count(*) AS listed
    FROM {{ fragments }}
{% endif %}
    GROUP BY ALL
)
{{ folds.in_folds("members", scope_columns, fold_intervals, file_talkers) }}
