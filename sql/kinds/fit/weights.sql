{# The weights of the positives and of the negatives at each score: one row for each distinct score of a slice. A run in
   parts adds up the weights that each part has found in its rows. #}
{# Variables: the fields of ScoreWeights in compiler/kinds/fit.py. #}
{% from "kinds/shared/slices.sql" import key_columns %}
{% for breakdown in slices.breakdowns %}
SELECT {{ slices.by | comma_ended }}
        {{ loop.index0 }} AS breakdown,
{{ key_columns(slices, breakdown) }}
        ranked_score({{ score }}) AS score,
{% for name, sql in statistics.items() %}
        coalesce({{ sql }}, 0) AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM {{ rows }} AS counted_rows
WHERE {{ where }}
GROUP BY ALL
{{ "UNION ALL" if not loop.last }}
{% endfor %}
