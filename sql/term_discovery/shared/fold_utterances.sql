{# The intervals of each fold. They come from the input that the parameter `fold_set` names, if it is given. Otherwise
   the utterances, in the order of recording and onset, are divided into `n_folds` folds. With fold_order = dealt they
   are dealt out in turn; with fold_order = runs each fold is a sequence. If the number of utterances is not divisible
   by `n_folds`, the first folds have one utterance more: 11 utterances in 3 folds are 4, 4 and 3. #}
{% set input = {"folds": folds, "total": folds_total, "within": folds_within}[fold_set.value] %}
{% if input.given %}
SELECT fold, file, {{ times.value }}(onset) AS onset, {{ times.value }}("offset") AS "offset"
FROM {{ input }}
{% else %}
SELECT *,
{% if fold_order.value == "dealt" %}
    (row_number() OVER (ORDER BY file, onset) - 1) % greatest({{ n_folds }}, 1) AS fold
{% else %}
    ntile(greatest({{ n_folds }}, 1)) OVER (ORDER BY file, onset) - 1 AS fold
{% endif %}
FROM (
{% if utterances.given %}
    SELECT file, {{ times.value }}(onset) AS onset, {{ times.value }}("offset") AS "offset"
    FROM {{ utterances }}
{% else %}
    SELECT file, min(onset) AS onset, max("offset") AS "offset"
    FROM {{ speech_phones }}
    GROUP BY file, utterance
{% endif %}
)
{% endif %}
