{# The lengths of members that each cluster has, in phones, with the number of distinct members (`spans`) of the length.

   `first_class` and `first_group` number classes of sub-spans and size groups (recounted_subspans) without a table of
   them: the class of a sub-span is first_class + before * (max_phones + 1) + size, its size group is first_group + size. These
   numbers are different for different classes, because size is at most max_phones, and before is at most the length of the
   longest member. #}
SELECT cluster, pair_speaker, span_size, count(*) AS spans,
    row_number() OVER (ORDER BY cluster, pair_speaker, span_size) * (max(span_size) OVER () + 1) * ({{ max_phones }} + 1) AS first_class,
    dense_rank() OVER (ORDER BY cluster, pair_speaker) * ({{ max_phones }} + 1) AS first_group
FROM {{ distinct_members }}
GROUP BY cluster, pair_speaker, span_size
