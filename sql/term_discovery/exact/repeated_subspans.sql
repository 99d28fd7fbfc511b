{# The sub-spans of members within one utterance of which the first phones, as many as a sub-span has at least, begin
   another one of the group too: the others have no equal. #}
{% import "term_discovery/exact/subspans.jinja" as subspans with context %}
{% macro runs(row) %}
JOIN {{ phone_runs }} AS run_
    ON run_.file = {{ row }}.file AND run_.phone = {{ row }}.phone{{ same("run_", phone_runs, row, longest_partners) }}
{%- endmacro %}
WITH starts AS (
    SELECT {% for column in scope_columns %}start_.{{ column | name }}, {% endfor %}start_.cluster, start_.pair_talker, start_.file, start_.phone, reach_from, reach_to,
        before, span_size, left(codes, {{ min_phones }}) AS first_phones
    FROM (SELECT *, first_phone + before AS phone FROM {{ subspans.starts(longest_partners) }}) AS start_
    {{ runs("start_") }} AND remaining >= {{ min_phones }}
),
repeated AS (
    SELECT {{ scope }}cluster, pair_talker, first_phones FROM starts GROUP BY ALL HAVING count(*) > 1
)
SELECT * EXCLUDE (span_size, codes), span_size - size - before AS after, left(codes, size::INTEGER) AS text
FROM (
    SELECT start_.* EXCLUDE (first_phones), codes, unnest({{ subspans.sizes("span_size - before, remaining") }}) AS size
    FROM (FROM starts SEMI JOIN repeated USING ({{ scope }}cluster, pair_talker, first_phones)) AS start_
    {{ runs("start_") }}
)
