{# A turn that crosses several regions is cut into one part per region. #}
{% import "diarization/shared/turns.jinja" as turns with context %}
{% if trimmed_turns.value %}
WITH trimmed AS (
    SELECT side, doc, speaker, greatest(turn_.onset, region_.onset) AS onset,
        least(turn_."offset", region_."offset") AS "offset"
    FROM {{ given_turns }} AS turn_
    JOIN {{ scored_regions }} AS region_ USING (doc)
    WHERE turn_.onset < region_."offset" AND region_.onset < turn_."offset"
)
{{ turns.merged("trimmed") }}
{% else %}
FROM {{ given_turns }}
{% endif %}
