{# The clusters, each with a list of numbers of sub-spans: element n is the number of sub-spans of n phones of the members
   of the cluster, for n from 1 to one more than the number of phones of the longest member. A member of m ≥ n phones has
   m − n + 1 of them. For example, a cluster has abcd and efg. The list is [7, 5, 3, 1, 0].

   The number of partners of a sub-span follows from this list: see the macro `partners` in subspans.jinja. #}
SELECT cluster, pair_speaker,
    [list_sum([n.spans * greatest(n.span_size - size + 1, 0) for n in lengths])::BIGINT for size in range(1, longest + 2)] AS subspans
FROM (
    SELECT cluster, pair_speaker, list({span_size: span_size, spans: spans}) AS lengths, max(span_size) AS longest
    FROM {{ member_lengths }}
    GROUP BY ALL
)
