{# The intervals of the folds: those of one of the inputs, or utterances in the order of files and time, cut into
   `n_folds` runs of as equal a number as can be, the first ones longer. #}
{% import "term_discovery/shared/times.jinja" as t with context %}
{% set input = {"folds": folds, "total": folds_total, "within": folds_within}[fold_set.value] %}
{% if input.given %}
SELECT fold, file, {{ t.time("onset") }} AS onset, {{ t.time('"offset"') }} AS "offset"
FROM {{ input }}
{% else %}
SELECT *, ntile(greatest({{ n_folds }}, 1)) OVER (ORDER BY file, onset) - 1 AS fold
FROM (
{% if utterances.given %}
    SELECT file, {{ t.time("onset") }} AS onset, {{ t.time('"offset"') }} AS "offset"
    FROM {{ utterances }}
{% else %}
    SELECT file, min(onset) AS onset, max("offset") AS "offset"
    FROM {{ speech_phones }}
    GROUP BY file, utterance
{% endif %}
)
{% endif %}
