{# The sums of the statistics over the rows with each score: one row for each distinct score of a slice (of a unit, if each
   unit has its own threshold). Rows without a score are left out. Statistics are additive, so that a run in parts adds up
   the sums that each part has made of its rows. #}
{# Variables: the fields of ScoreSums in plan/kinds/sweep.py. #}
{% from "kinds/shared/slices.sql" import statistics_by %}
{% set conditions = ["(" ~ score ~ ") IS NOT NULL", where] %}
{% call(sql) statistics_by(slices, "ranked_score(" ~ score ~ ") AS threshold", statistics, rows, conditions) %}{{ sql }}{% endcall %}
