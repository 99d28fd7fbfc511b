{# The sub-spans that meet one of equal transcription that shares no time with them. It is enough to know for each which
   others of its transcription it meets on a diagonal: these fall into few classes by what is left and right of them. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
WITH classes AS (
    SELECT {{ scope }}cluster, pair_talker, text, before, after, min(file) AS first_file, max(file) AS last_file,
        min(reach_to) AS earliest_end, max(reach_from) AS latest_begin
    FROM {{ repeated_subspans }}
    GROUP BY ALL
)
SELECT {{ scope }}file, phone, size
FROM {{ repeated_subspans }} AS span_
SEMI JOIN classes AS class_
    ON span_.cluster = class_.cluster AND span_.pair_talker = class_.pair_talker AND span_.text = class_.text
        {{- same("span_", repeated_subspans, "class_", repeated_subspans) }}
        AND {{ subspans.aligned("span_.before", "span_.after", "class_.before", "class_.after") }}
        AND ({{ "" if overlap_across_files.value else "first_file <> file OR last_file <> file OR " }}earliest_end <= reach_from OR latest_begin >= reach_to)
