{# The distinct edges (file, time) of fragments (found) and of words (not found). `near`: an edge of the other side is
   less than `boundary_tolerance` (30 ms) away. Edges are not matched one to one. If one edge of a fragment is near two
   edges of words, all three are near. #}
{% macro with_nearest(points, others, found) %}
SELECT point_.*, {{ found }} AS found,
    coalesce(point_.time - before_.time < {{ times.value }}({{ boundary_tolerance }}), false)
        OR coalesce(after_.time - point_.time < {{ times.value }}({{ boundary_tolerance }}), false) AS near
FROM {{ points }} AS point_
ASOF LEFT JOIN {{ others }} AS before_ ON before_.file = point_.file AND point_.time >= before_.time
ASOF LEFT JOIN {{ others }} AS after_ ON after_.file = point_.file AND point_.time < after_.time
{% endmacro %}
WITH found AS (
    SELECT DISTINCT file, unnest([onset, "offset"]) AS time FROM {{ fold_fragments }}
),
gold AS (
    SELECT DISTINCT file, unnest([onset, "offset"]) AS time FROM {{ fold_words }}
)
{{ with_nearest("found", "gold", "true") }}
UNION ALL
{{ with_nearest("gold", "found", "false") }}
