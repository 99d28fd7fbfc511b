{# The phone tokens of each fold. `phone` numbers them from 1 within fold and file. `number` is their number in the
   whole corpus; where it skips a value, the fold lacks a phone.

   With inside = whole, the phones that an interval of the fold cuts are also in the fold, because tde 0.2.1 transcribes
   fragments with them. They have no utterance, so no span of F_all contains them. An utterance then ends where an
   interval of the fold ends. #}
{% import "term_discovery/shared/folds.jinja" as folds with context %}
SELECT *, row_number() OVER (PARTITION BY file ORDER BY number) AS phone
FROM (
{% if inside.value == "whole" and "fold" in fold_intervals.slices %}
    SELECT phone_.* EXCLUDE (utterance, part), max(part) AS utterance, speaker
    FROM (
        SELECT phone_.*,
            CASE WHEN utterance IS NOT NULL AND {{ folds.begins_in("phone_", "fold_") }} AND {{ folds.ends_in("phone_", "fold_") }}
                THEN greatest(utterance, fold_.onset) END AS part
        FROM {{ speech_phones }} AS phone_
        JOIN {{ fold_intervals }} AS fold_
            ON phone_.file = fold_.file
            AND phone_.onset < fold_."offset" AND phone_."offset" > fold_.onset
    ) AS phone_
    {{ "LEFT " if "speaker" not in file_speakers.slices }}JOIN {{ file_speakers }} USING (file)
    GROUP BY ALL
{% else %}
{{ folds.in_folds(speech_phones) | indent(4, true) }}
{% endif %}
)
