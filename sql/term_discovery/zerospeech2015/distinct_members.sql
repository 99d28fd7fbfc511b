{# The distinct members of clusters, as spans of phones: members with the same phones are counted once, because a
   sub-span is identified by its phones. Members of fewer phones than any sub-span have no sub-spans and are left out.

   `codes` has one character per phone of the member, and a blank for each phone that the fold lacks. So the
   transcription of the sub-span of n phones after the first b phones is substr(codes, b + 1, n) without blanks. For
   example, a member has the phones 4 to 7, and the fold lacks phone 6. If the others are a, b and c, `codes` is "ab c",
   and the transcription of the sub-span of the phones 5 to 7 is "bc". #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
{% set span = "file, first_phone, span_size" %}
WITH members AS (
    SELECT DISTINCT {{ span }}, cluster, pair_speaker, text
    FROM (SELECT *, last_phone - first_phone + 1 AS span_size FROM {{ cluster_members }})
    WHERE span_size >= {{ subspans.fewest() }}
),
padded AS (
    SELECT lacking_.file, first_phone, span_size, string_agg(coalesce(left(codes, 1), ' '), '' ORDER BY number) AS codes
    FROM (
        SELECT *, unnest(range(first_phone, first_phone + span_size)) AS number
        FROM (SELECT DISTINCT {{ span }} FROM members WHERE length(text) < span_size)
    ) AS lacking_
    LEFT JOIN {{ phone_runs }} AS run_
        ON run_.file = lacking_.file AND run_.phone = number
    GROUP BY ALL
)
SELECT {{ span }}, cluster, pair_speaker, coalesce(codes, text) AS codes
FROM members
LEFT JOIN padded USING ({{ span }})
