{# Every pair of distinct fragments that are in one cluster and do not overlap (P_disc). #}
{% import "term_discovery/zerospeech2015/overlap.jinja" as overlap with context %}
FROM {{ pairs_clus }}
WHERE NOT ({{ "" if overlap_across_files.value else "file_a = file_b AND " }}{{ overlap.overlap("onset_a", "offset_a", "onset_b", "offset_b") }})
