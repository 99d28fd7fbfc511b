{# Every pair of distinct fragments that are in one cluster (P_clus). #}
{% set columns = ["file", "onset", "offset", "text", "first_phone", "last_phone"] %}
SELECT DISTINCT {{ scope }}{% for column in columns %}a.{{ column | name }} AS {{ column }}_a, b.{{ column | name }} AS {{ column }}_b{{ ", " if not loop.last }}{% endfor %}

FROM {{ pair_groups }} AS a
JOIN {{ pair_groups }} AS b USING ({{ scope }}cluster, pair_talker)
WHERE (a.file, a.onset, a."offset") < (b.file, b.onset, b."offset")
