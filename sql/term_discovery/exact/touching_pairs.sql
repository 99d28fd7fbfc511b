{# The pairs of P_disc whose two members, or the phones of whose transcriptions, share time. They are few; for all
   other pairs what matters is only that there is one. #}
SELECT {{ scope }}cluster, talker, file, a.onset AS onset_a, a."offset" AS offset_a, a.first_phone AS first_a, a.last_phone AS last_a,
    b.onset AS onset_b, b."offset" AS offset_b, b.first_phone AS first_b, b.last_phone AS last_b
FROM {{ pair_groups }} AS a
JOIN {{ pair_groups }} AS b USING ({{ scope }}cluster, talker, file)
WHERE (a.onset, a."offset") < (b.onset, b."offset") AND a.reach_from < b.reach_to AND b.reach_from < a.reach_to
    AND least(a."offset", b."offset") - greatest(a.onset, b.onset)
        <= {{ overlap_fraction }} * least(a."offset" - a.onset, b."offset" - b.onset)
