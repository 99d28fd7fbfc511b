{# Where two rates cross: one falls and the other rises as more rows are accepted, such as miss rate and false alarm
   rate.

   `linear`: the crossing lies on the line between two neighbouring points of the curve, the last one at which the
   falling rate is larger, and the first one at which it is not. For example, if the rates are 0.3 and 0.1 at one
   threshold and 0.2 and 0.4 at the next, the line has equal rates after 0.2 / (0.2 + 0.2) of the way, and the rate is
   0.25.

   `hull`: the crossing lies on an edge of the lower convex hull of the points, which are thought of as drawn with one
   rate on each axis. The naive way finds the whole hull. Here only the edge that crosses the diagonal is found. The
   line through the first and the last point lies above the hull. The point that is farthest below this line is a corner
   of the hull; it replaces the end of the line on its side of the diagonal. This is repeated until no point is below
   the line: then the line is an edge of the hull. Each repetition is a pass over all points that can be corners: those
   at which the falling rate has just fallen and the rising rate is about to rise, the first and the last. A million
   points need 8 repetitions. Among points that are equally far below, the one with the highest threshold is taken.

   tests/unit/test_crossing.py compares both with the naive way. #}
{% from "kinds/shared/slices.sql" import agree %}
{# How far a point is above the line through two others, up to a factor and a constant of the line. #}
{% macro height(point) -%}
(below.rising - above.rising) * {{ point }}.falling + (above.falling - below.falling) * {{ point }}.rising
{%- endmacro %}
{# The CTE crossed: in each slice (or unit) where the rates cross, the components at the crossing. `sweep` is a Sweep of
   plan/kinds/sweep.py. Uses the CTE at_points of points.sql. #}
{% macro crossed(sweep, crossing) %}
{% set slices = sweep.slices %}
{% set keys = (slices.keys | comma_ended) ~ "breakdown" %}
{% if crossing == "hull" %}
rates AS MATERIALIZED (
    SELECT {{ keys }}, {rank: max(rank), falling: min(falling), rising: rising} AS point
    FROM (
        SELECT {{ keys }}, min(rank) AS rank, "falling rate" AS falling, min("rising rate") AS rising FROM at_points GROUP BY ALL
    )
    GROUP BY {{ keys }}, rising
),
-- the line through two points in each round; the last round has an edge of the hull
ends AS (
    WITH RECURSIVE lines AS (
        SELECT {{ keys }}, 0 AS round,
            arg_min(point, point.rank) FILTER (point.falling > point.rising) AS above,
            arg_max(point, point.rank) FILTER (point.falling <= point.rising) AS below
        FROM (SELECT {{ keys }}, {rank: rank, falling: "falling rate", rising: "rising rate"} AS point FROM at_points)
        GROUP BY ALL
        UNION ALL
        SELECT {{ keys }}, round + 1, if(corner.falling > corner.rising, corner, above), if(corner.falling > corner.rising, below, corner)
        FROM (
            SELECT lowest.*, arg_min(point, point.rank) AS corner
            FROM (
                SELECT lines.*, min({{ height("point") }}) AS height
                FROM lines JOIN rates ON {{ agree(slices, "lines", "rates") }} AND point.rank > above.rank AND point.rank < below.rank
                GROUP BY ALL
            ) AS lowest
            JOIN rates ON {{ agree(slices, "lowest", "rates") }} AND point.rank > above.rank AND point.rank < below.rank
            WHERE height < {{ height("above") }} AND {{ height("point") }} = height
            GROUP BY ALL
        )
    )
    SELECT {{ keys }}, arg_max(above, round).rank AS above, arg_max(below, round).rank AS below FROM lines GROUP BY ALL
),
{% else %}
ends AS (
    SELECT {{ keys }}, max(rank) FILTER ("falling rate" > "rising rate") AS above,
        min(rank) FILTER ("falling rate" <= "rising rate") AS below
    FROM at_points
    GROUP BY ALL
),
{% endif %}
crossed AS (
    SELECT {% for column in slices.keys %}one.{{ column | name }}, {% endfor %}one.breakdown,
        (one."falling rate" - one."rising rate")
            / (one."falling rate" - one."rising rate" + other."rising rate" - other."falling rate") AS share,
{% for name in sweep.components %}
        one.{{ name | name }}::DOUBLE + share * (other.{{ name | name }}::DOUBLE - one.{{ name | name }}::DOUBLE) AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
    FROM ends
    JOIN at_points AS one ON {{ agree(slices, "one", "ends") }} AND one.rank = ends.above
    JOIN at_points AS other ON {{ agree(slices, "other", "ends") }} AND other.rank = ends.below
)
{% endmacro %}
