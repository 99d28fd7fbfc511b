{# The sub-spans that are aligned (see the macro `aligned` in subspans.jinja) with a sub-span of equal transcription in
   another member of their cluster, where the two members share no time.

   By definition, all pairs of aligned sub-spans are listed and their transcriptions compared (pairs/pairs_star.sql,
   pairs/pairs_all.sql). Here the sub-spans of a cluster are summarised by transcription, `before` and `after`: the
   first and last file, the earliest end and the latest start of their members. A sub-span has a partner in such a class
   if the class is aligned with it and has a member in another recording, a member that ends before the member of the
   sub-span begins, or a member that begins after it ends.

   For example, cluster 1 has xabc at 0.0–0.4 s and yabc at 1.0–1.4 s of one recording. In both members, the sub-span
   abc has 1 phone before and 0 after it. The earliest end in this class is 0.4 s and the latest start 1.0 s, so both
   sub-spans have a partner.

   tests/conformance/test_zerospeech2015_pairs.py compares the result, both_spans, with the enumerated form. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
WITH classes AS (
    SELECT cluster, pair_speaker, text, before, after, min(file) AS first_file, max(file) AS last_file,
        min(reach_to) AS earliest_end, max(reach_from) AS latest_begin
    FROM {{ repeated_subspans }}
    GROUP BY ALL
)
SELECT file, phone, size
FROM {{ repeated_subspans }} AS span_
SEMI JOIN classes AS class_
    ON span_.cluster = class_.cluster AND span_.pair_speaker = class_.pair_speaker AND span_.text = class_.text
        AND {{ subspans.aligned("span_.before", "span_.after", "class_.before", "class_.after") }}
        AND ({{ "" if overlap_across_files.value else "first_file <> file OR last_file <> file OR " }}earliest_end <= reach_from OR latest_begin >= reach_to)
