{# The sub-spans of `found_min_phones` to `max_phones` phones of recounted_members, each with the numbers of phones of the member
   `before` and `after` it. A sub-span that is part of two members has two rows.

   Two sub-spans are aligned if they are at the same place when the shorter transcription is laid along the longer one
   at some offset. Size, `before` and `after` decide that: two sub-spans of equal size are aligned if one of them has at
   most as many phones before it and at most as many after it as the other. ab of abcd has 0 before and 2 after it; ef
   of efg has 0 and 1, so the two are aligned. fg of efg has 1 and 0, so ab and fg are not aligned. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
SELECT cluster, pair_speaker, file, onset, "offset", size,
    first_phone + before AS phone, before, span_size - size - before AS after,
    {{ subspans.class_number("first_class", "before", "size") }} AS class, first_group + size AS size_group
FROM (
    SELECT *, unnest(range(0, span_size - size + 1)) AS before
    FROM (
        SELECT *, unnest({{ subspans.sizes("span_size") }}) AS size
        FROM {{ longest_partners }}
        SEMI JOIN {{ recounted_members }} USING (cluster, pair_speaker, file, first_phone, span_size)
        JOIN (SELECT * EXCLUDE (spans) FROM {{ member_lengths }}) USING (cluster, pair_speaker, span_size)
    )
)
