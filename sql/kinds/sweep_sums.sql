{# Kind `sweep`: for each distinct score of a slice (of a unit in it, when each has its own threshold) the
   statistics of all rows with this score or a higher one. A row without a score is at no threshold.
   Context: that of slices.sql, and rows, where, score, kept (columns of the unit, or none). #}
{% import "kinds/slices.sql" as slices with context %}
{% for each in breakdowns %}
{% set keys = (by + each.columns | list + kept) | unique | list %}
SELECT {{ by | comma_ended }}
        {{ loop.index0 }} AS breakdown,
{{ slices.key_columns(each.columns, kept) }}
        threshold,
        row_number() OVER down AS rank,
{% for name in statistics %}
        coalesce(sum({{ name | name }}) OVER down, 0) AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM (
    SELECT {{ keys | comma_ended }}ranked_score({{ score }}) AS threshold,
{% for name, sql in statistics.items() %}
        {{ sql }} AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
    FROM {{ rows }} AS counted_rows
    WHERE ({{ score }}) IS NOT NULL{% if where %} AND ({{ where }}){% endif %}

    GROUP BY ALL
)
WINDOW down AS ({% if keys %}PARTITION BY {{ keys | names }} {% endif %}ORDER BY threshold DESC ROWS UNBOUNDED PRECEDING)
{{ "UNION ALL" if not loop.last }}
{% endfor %}
