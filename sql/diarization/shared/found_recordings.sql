{# With listed_only, the region of a recording must be in `uem`. Without own_overlap=count, a repeated turn changes nothing. #}
WITH found AS (
    SELECT doc, side, speaker, onset, "offset" FROM {{ given_turns }}
    UNION ALL
    SELECT doc, 'uem', NULL, onset, "offset" FROM {{ given_regions }}
)
SELECT doc, bool_or(side = 'reference') AS in_reference, bool_or(side = 'hypothesis') AS in_hypothesis,
    {{ "bool_or(side = 'uem')" if uem.given else "true" }} AS listed,
    {{ "in_reference" if recordings.value == "reference" else "true" }}{{ " AND listed" if listed_only.value }} AS scored,
    {{ "contains(doc, ' channel ')" if channels.value == "separate" else "false" }} AS of_channel,
    {{ 'count(*) - count(DISTINCT row(side, speaker, onset, "offset"))' if own_overlap.value == "count" else "0" }} AS repeated_turns
FROM found
GROUP BY doc
