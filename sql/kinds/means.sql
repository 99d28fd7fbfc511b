{# The scores of the metric: the mean of each component over the units, for all units together and for each slice. Units
   whose component is undefined are left out of its mean, and a note gives their number. #}
{# Context: as for slices.sql, and each_unit (the table of the components of each unit). #}
{% import "kinds/slices.sql" as slices with context %}
{{ slices.means(each_unit) }}
