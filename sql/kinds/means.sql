{# Kinds whose units have components of their own: the mean of these over the units of each slice.
   Context: that of slices.sql, and each_unit (the table of the components per unit). #}
{% import "kinds/slices.sql" as slices with context %}
{{ slices.means(each_unit) }}
