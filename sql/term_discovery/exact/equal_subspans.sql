{# The sub-spans that are aligned with a sub-span of equal transcription in another member of their group that shares no
   time with their member.

   By definition, all aligned pairs of sub-spans are listed and compared (pairs/pairs_star.sql with
   pairs/pairs_all.sql). Here the sub-spans of a group are summarised by transcription, `before` and `after`: the first
   and last file, the earliest end and the latest begin of their members. A sub-span has a partner in such a class when
   the class is aligned with it and has a member in a different file, or a member that ends before its member begins, or
   a member that begins after its member ends.

   Example: cluster 1 has xabc at 0.0–0.4 s and yabc at 1.0–1.4 s of one file. The sub-span abc has the class "1 before,
   0 after" in both. Its earliest end is 0.4 s and its latest begin 1.0 s, so that both sub-spans have a partner.

   tests/conformance/test_zerospeech2015_pairs.py compares the result, both_spans, with the definition. #}
{% import "term_discovery/exact/subspans.jinja" as subspans with context %}
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
