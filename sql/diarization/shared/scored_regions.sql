{# The regions of `uem`, and one region for each recording without a region there. #}
FROM {{ given_regions }}
SEMI JOIN (FROM {{ found_recordings }} WHERE scored) USING (doc)
UNION ALL
FROM {{ default_regions }}
SEMI JOIN (FROM {{ found_recordings }} WHERE scored{{ " AND NOT listed" if uem.given }}) USING (doc)
