{# The intervals of the folds, in microseconds: those given, or utterances in the order of files and time, cut
   into `n_folds` runs of as equal a number as can be, the first ones longer. #}
{% if folds.given %}
SELECT {{ shared(folds) }}fold, file, microseconds(onset) AS onset, microseconds("offset") AS "offset"
FROM {{ folds }}
{% else %}
SELECT *, ntile(greatest({{ n_folds }}, 1)) OVER (ORDER BY file, onset) - 1 AS fold
FROM (
{% if utterances.given %}
    SELECT {{ shared(utterances) }}file, microseconds(onset) AS onset, microseconds("offset") AS "offset"
    FROM {{ utterances }}
{% else %}
    SELECT {{ shared(phonemes) }}file, min(onset) AS onset, max("offset") AS "offset"
    FROM {{ phonemes }}
    GROUP BY {{ shared(phonemes) }}file, utterance
{% endif %}
)
{% endif %}
