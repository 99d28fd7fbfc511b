{# The speaker of each segment of the reference is the first that is known: of the input `metadata`; by the parameter
   `talker_pattern`, in the name of the segment or else of the document; of the reference; and the document, if it is the
   beginning of the name of its segments (`named_after`), and at least two such documents have at least two segments. #}
WITH segment_rows AS (
    SELECT document, segment, named_after, first_speaker, last_speaker,
        {{ "metadata_.talker" if metadata.given else "NULL" }} AS described,
        {% if talker_pattern.value %}
        coalesce(nullif(regexp_extract(segment, {{ talker_pattern }}, 1), ''), nullif(regexp_extract(document, {{ talker_pattern }}, 1), '')) AS found
        {% else %}
        NULL AS found
        {% endif %}
    FROM (
        SELECT document, coalesce(segment, '') AS segment, min(speaker) AS first_speaker, max(speaker) AS last_speaker,
            starts_with(coalesce(segment, ''), document) AND substr(segment, length(document) + 1, 1) IN ('', '-', '_') AS named_after
        FROM {{ reference }}
        GROUP BY document, segment
    )
    {% if metadata.given %}
    LEFT JOIN (SELECT document AS name, coalesce(talker, speaker) AS talker FROM {{ metadata }}) AS metadata_
        ON name = if(named_after AND document NOT IN (SELECT document FROM {{ metadata }}), segment, document)
    {% endif %}
)
SELECT document, segment, coalesce(described, found, first_speaker, if(cut, document, NULL)) AS speaker,
    if(first_speaker < last_speaker, last_speaker, coalesce(described, found, first_speaker, if(cut, document, NULL))) AS last_speaker,
    named_after, cut AND described IS NULL AND found IS NULL AND first_speaker IS NULL AS cut
FROM (
    SELECT *, named_after AND (
        SELECT count(*) > 1
        FROM (SELECT document FROM segment_rows WHERE named_after AND first_speaker IS NULL GROUP BY ALL HAVING count(*) > 1)
    ) AS cut
    FROM segment_rows
)
