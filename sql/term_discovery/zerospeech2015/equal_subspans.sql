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
FROM {{ repeated_subspans }} AS spoken
SEMI JOIN classes AS class_
    ON spoken.cluster = class_.cluster AND spoken.pair_talker = class_.pair_talker AND spoken.text = class_.text
        {{- same("spoken", repeated_subspans, "class_", repeated_subspans) }}
        AND {{ subspans.meet("spoken.before", "spoken.after", "class_.before", "class_.after") }}
        AND ({{ "" if overlap_across_files.value else "first_file <> file OR last_file <> file OR " }}earliest_end <= reach_from OR latest_begin >= reach_to)
