{# The words of both texts after normalisation. A word that the normaliser inserts has the line and time of the word before
   it: CAN'T is written, CAN NOT is compared, and both have the time of CAN'T.

   The changed words between two kept words are a group, and come from the words of the group before normalisation: CAN NOT
   comes from CAN'T. If all of these are words of one entity, so are the new words. In another group, each word has the
   entity of the word that it replaces. An inserted word is in an entity only if the words around it are. #}
{% from "transcripts/shared/spellings.jinja" import folded with context %}
{% import "transcripts/shared/stretches.jinja" as stretches with context %}
{% if normalize.value == "none" %}
FROM {{ substituted_words }}
{% else %}
SELECT side, document, segment_number, line, number, block AS part,
    {{ folded("text") }} AS word, attached AND "left" = 1 AS attached, optional,
    CASE WHEN of_one_entity THEN entity_of_group WHEN "left" = 1 OR entity = next_entity THEN entity END AS entity,
    alternation, branch, onset, duration
FROM (
    SELECT block_.*, word_.* EXCLUDE (stretch), min(entity) FILTER ("left" = 1) OVER changed AS entity_of_group,
        NOT correct AND count(*) FILTER ("left" = 1) OVER changed > 0
            AND count(entity) FILTER ("left" = 1) OVER changed = count(*) FILTER ("left" = 1) OVER changed
            AND entity_of_group = max(entity) FILTER ("left" = 1) OVER changed AS of_one_entity
    FROM {{ normalization_blocks }} AS block_
    JOIN (
        SELECT *, row_number() OVER in_stretch AS nth, lead(entity) OVER in_stretch AS next_entity
        FROM {{ normalized_stretches }}
        WINDOW in_stretch AS (PARTITION BY stretch ORDER BY row)
    ) AS word_ ON block_.stretch = word_.stretch AND nth = greatest(left_end, 1)
    WINDOW changed AS (PARTITION BY block_.stretch, correct_before, correct)
)
JOIN {{ normalized_texts }} AS text_ USING (stretch)
WHERE "right" = 1 AND right_end = place + 1
UNION ALL BY NAME (
{{ stretches.emptied(substituted_words, normalized_stretches, normalized_texts) | indent(4, true) }}
)
{% endif %}
