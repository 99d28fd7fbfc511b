{# The sums of the statistics over the rows with each score: one row for each distinct score of a slice (of a unit, if each
   unit has its own threshold). Rows without a score are left out. Statistics are additive, so that a run in parts adds up
   the sums that each part has made of its rows. #}
{# Variables: the fields of ScoreSums in compiler/kinds/sweep.py. #}
{% from "kinds/shared/slices.sql" import key_columns %}
{% for breakdown in slices.breakdowns %}
SELECT {{ slices.by | comma_ended }}
        {{ loop.index0 }} AS breakdown,
{{ key_columns(slices, breakdown) }}
        ranked_score({{ score }}) AS threshold,
{% for name, sql in statistics.items() %}
        {{ sql }} AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM {{ rows }} AS counted_rows
WHERE ({{ score }}) IS NOT NULL{% if where %} AND ({{ where }}){% endif %}

GROUP BY ALL
{{ "UNION ALL" if not loop.last }}
{% endfor %}
