{# The lines of the submission, with each fragment cut to one utterance of its recording, as in tde 0.2.1: the utterance
   that it shares most time with, or the earliest of these. The cut times are NULL if the fragment shares time with no
   utterance. For example, a fragment from 1.0 to 2.0 s lies across the utterances 0.0–1.3 s and 1.4–3.0 s. It is cut to
   1.4–2.0 s. #}
{# Utterances of a recording do not overlap, so the utterances that share time with a fragment have consecutive numbers,
   as phones have. The macro `overlapped` finds them. Its columns with `phone` in their name hold numbers of utterances
   here. #}
{% import "term_discovery/shared/spans.jinja" as spans %}
WITH numbered AS (
    SELECT cluster, file, {{ times.value }}(onset) AS onset, {{ times.value }}("offset") AS "offset", row_number() OVER () AS fragment
    FROM {{ fragments }}
),
stretches AS (
    SELECT file, {{ times.value }}(onset) AS onset, {{ times.value }}("offset") AS "offset",
        row_number() OVER (PARTITION BY file ORDER BY onset) AS phone
    FROM {{ utterances }}
),
parts AS (
    SELECT fragment, greatest(part_.onset, stretch_.onset) AS clipped_onset, least(part_."offset", stretch_."offset") AS clipped_offset
    FROM (
        SELECT *, unnest(range(first_phone, last_phone + 1)) AS number
        FROM (
{{ spans.overlapped("numbered", "stretches") | indent(12, true) }}
        )
    ) AS part_
    JOIN stretches AS stretch_
        ON stretch_.file = part_.file AND stretch_.phone = number
    WHERE clipped_offset > clipped_onset
    QUALIFY row_number() OVER (PARTITION BY fragment ORDER BY clipped_offset - clipped_onset DESC, number) = 1
)
SELECT cluster, file, onset, "offset", clipped_onset, clipped_offset
FROM numbered
LEFT JOIN parts USING (fragment)
