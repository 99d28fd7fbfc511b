{# A recording without a region in `uem` is scored from the first to the last of its default spans. #}
SELECT doc, onset, "offset"
FROM {{ given_regions }}
SEMI JOIN (FROM {{ found_recordings }} WHERE scored) USING (doc)
UNION ALL
SELECT doc, min(onset), max("offset")
FROM {{ default_spans }}
SEMI JOIN (FROM {{ found_recordings }} WHERE scored{{ " AND NOT listed" if uem.given }}) USING (doc)
GROUP BY doc
