{# The clusters as sets of fragments (C_disc), in each fold: a fragment is in a cluster once, however often it is
   `times_listed`; one that clipping leaves nothing of is in none. #}
{% import "term_discovery/shared/times.jinja" as t with context %}
{% import "term_discovery/shared/folds.jinja" as folds with context %}
WITH members AS (
{% if clip.value == "utterance" %}
    SELECT {{ shared(clipped_fragments) }}cluster, file, clipped_onset AS onset, clipped_offset AS "offset", count(*) AS times_listed
    FROM {{ clipped_fragments }}
    WHERE clipped_onset IS NOT NULL
{% else %}
    SELECT {{ shared(fragments) }}cluster, file, {{ t.time("onset") }} AS onset, {{ t.time('"offset"') }} AS "offset", count(*) AS times_listed
    FROM {{ fragments }}
{% endif %}
    GROUP BY ALL
)
{{ folds.in_folds("members", fragments, scope_columns, fold_intervals, file_talkers) }}
