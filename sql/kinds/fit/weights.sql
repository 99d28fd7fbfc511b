{# The weights of the positives and of the negatives at each score: one row for each distinct score of a slice. A run in
   parts adds up the weights that each part has found in its rows. #}
{# Variables: the fields of ScoreWeights in plan/kinds/fit.py. #}
{% from "kinds/shared/slices.sql" import statistics_by %}
{% call(sql) statistics_by(slices, "ranked_score(" ~ score ~ ") AS score", statistics, rows, [where]) %}coalesce({{ sql }}, 0){% endcall %}
