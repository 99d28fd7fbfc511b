{# Each fragment, as often as it is listed, with the part of it that lies in the utterance of its file with which it
   shares most time, the earliest of equals. Utterances do not overlap, so those that a fragment meets are a run of
   them. #}
{% import "term_discovery/shared/spans.jinja" as spans %}
{% import "term_discovery/shared/times.jinja" as t with context %}
WITH numbered AS (
    SELECT {{ shared(fragments) }}cluster, file, {{ t.time("onset") }} AS onset, {{ t.time('"offset"') }} AS "offset", row_number() OVER () AS fragment
    FROM {{ fragments }}
),
stretches AS (
    SELECT {{ shared(utterances) }}file, {{ t.time("onset") }} AS onset, {{ t.time('"offset"') }} AS "offset",
        row_number() OVER (PARTITION BY {{ shared(utterances) }}file ORDER BY onset) AS phone
    FROM {{ utterances }}
),
parts AS (
    SELECT fragment, greatest(met_.onset, stretch_.onset) AS clipped_onset, least(met_."offset", stretch_."offset") AS clipped_offset
    FROM (
        SELECT *, unnest(range(first_phone, last_phone + 1)) AS number
        FROM (
{{ spans.overlapped("numbered", fragments, "stretches", utterances) }}
        )
    ) AS met_
    JOIN stretches AS stretch_
        ON stretch_.file = met_.file AND stretch_.phone = number{{ same("stretch_", utterances, "met_", fragments) }}
    WHERE clipped_offset > clipped_onset
    QUALIFY row_number() OVER (PARTITION BY fragment ORDER BY clipped_offset - clipped_onset DESC, number) = 1
)
SELECT {{ shared(fragments) }}cluster, file, onset, "offset", clipped_onset, clipped_offset
FROM numbered
LEFT JOIN parts USING (fragment)
