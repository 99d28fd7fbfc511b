{# Every pair of distinct fragments that are in one cluster and do not overlap (P_disc). #}
{% import "term_discovery/exact/overlap.jinja" as overlap %}
FROM {{ pairs_clus }}
WHERE NOT (file_a = file_b AND {{ overlap.overlap("onset_a", "offset_a", "onset_b", "offset_b", overlap_fraction) }})
