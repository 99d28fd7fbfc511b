{# The intervals of each fold: those of the input that `fold_set` names, if it is given. Otherwise the utterances,
   ordered by file and onset, are divided into `n_folds` runs with equal numbers of utterances. When the number is not
   divisible, the first folds have one more: 11 utterances in 3 folds are 4, 4 and 3. #}
{% import "term_discovery/exact/times.jinja" as t with context %}
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
    FROM {{ phonemes }}
    GROUP BY file, utterance
{% endif %}
)
{% endif %}
