{# The scores of the metric: the mean of each component over the units, for all units together and for each slice. Units
   whose component is undefined are left out of its mean, and a note gives their number. #}
{# Variables: the fields of Means in plan/kinds/sweep.py. #}
{% from "kinds/shared/slices.sql" import means %}
{{ means(slices, components, each_unit) }}
