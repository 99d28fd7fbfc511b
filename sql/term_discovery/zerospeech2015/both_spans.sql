{# The spans in pairs of both P_disc* and P_all; touching pairs are taken one by one. What is known of phones is looked up
   in one join after the other: joined all at once, DuckDB may begin with the phones of a file by the phones of that file. #}
{% import "term_discovery/zerospeech2015/overlap.jinja" as overlap with context %}
{% macro looked_up(pairs, made, file, phone) %}
SELECT pair_.*, {{ made }}
FROM {{ pairs }} AS pair_
JOIN {{ phone_runs }} AS run_ ON run_.file = {{ file }} AND run_.phone = {{ phone }}{{ same("run_", phone_runs, "pair_", touching_subspans) }}
{%- endmacro %}
{% set text = "left(codes, size::INTEGER)" %}
WITH begun AS MATERIALIZED (
    {{ looked_up(touching_subspans, text ~ " AS text, onset AS onset_a", "file_a", "phone_a") }}
    WHERE remaining >= size
),
equal AS MATERIALIZED (
    {{ looked_up("begun", "onset AS onset_b", "file_b", "phone_b") }}
    WHERE remaining >= size AND {{ text }} = text
),
ended AS MATERIALIZED (
    {{ looked_up("equal", '"offset" AS offset_a', "file_a", "phone_a + size - 1") }}
),
timed AS MATERIALIZED (
    {{ looked_up("ended", '"offset" AS offset_b', "file_b", "phone_b + size - 1") }}
),
touching AS MATERIALIZED (
    SELECT DISTINCT {{ scope }}unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone, size
    FROM timed
    WHERE NOT {{ overlap.overlap("onset_a", "offset_a", "onset_b", "offset_b") }}
),
apart AS MATERIALIZED (
    SELECT DISTINCT {{ scope }}file, phone, size FROM {{ equal_subspans }}
)
SELECT {{ scope }}file, phone, size
FROM apart
FULL JOIN touching USING ({{ scope }}file, phone, size)
