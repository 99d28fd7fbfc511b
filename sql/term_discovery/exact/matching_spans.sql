{# The spans in pairs of P_disc* (found), of P_all (gold), and of both. Of pairs that do not touch it is enough to
   know for each sub-span which others of its transcription it meets on a diagonal: these fall into few classes by
   what is left and right of them. Touching pairs are taken one by one. #}
{% import "term_discovery/exact/overlap.jinja" as overlap with context %}
{% macro run_at(alias, file, phone) %}
JOIN {{ phone_runs }} AS {{ alias }} ON {{ alias }}.file = {{ file }} AND {{ alias }}.phone = {{ phone }}{{ same(alias, phone_runs, "pair_", touching_subspans) }}
{%- endmacro %}
WITH spoken AS (
    SELECT sub_.*, left(run_.codes, sub_.size::INTEGER) AS text
    FROM {{ disc_subspans }} AS sub_
    JOIN {{ phone_runs }} AS run_
        ON run_.file = sub_.file AND run_.phone = sub_.phone AND run_.remaining >= sub_.size{{ same("run_", phone_runs, "sub_", disc_subspans) }}
),
classes AS (
    SELECT {{ scope }}cluster, pair_talker, text, before, after, min(file) AS first_file, max(file) AS last_file,
        min(reach_to) AS earliest_end, max(reach_from) AS latest_begin
    FROM spoken
    GROUP BY ALL
),
both_apart AS (
    SELECT {{ scope }}file, phone, size
    FROM spoken
    JOIN classes AS class_ USING ({{ scope }}cluster, pair_talker, text)
    WHERE (spoken.before <= class_.before AND spoken.after <= class_.after
            OR spoken.before >= class_.before AND spoken.after >= class_.after)
        AND ({{ "" if overlap_across_files.value else "first_file <> file OR last_file <> file OR " }}earliest_end <= reach_from OR latest_begin >= reach_to)
),
both_touching AS (
    SELECT {% for column in scope_columns %}pair_.{{ column | name }}, {% endfor %}unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone, size
    FROM {{ touching_subspans }} AS pair_
    {{ run_at("a", "file_a", "phone_a") }} AND a.remaining >= size
    {{ run_at("b", "file_b", "phone_b") }} AND b.remaining >= size
    {{ run_at("end_a", "file_a", "phone_a + size - 1") }}

    {{ run_at("end_b", "file_b", "phone_b + size - 1") }}

    WHERE left(a.codes, size::INTEGER) = left(b.codes, size::INTEGER) AND NOT {{ overlap.overlap("a.onset", 'end_a."offset"', "b.onset", 'end_b."offset"') }}
)
SELECT {{ scope }}file, phone, size, bool_or(set_ = 'found') AS in_found, bool_or(set_ = 'gold') AS in_gold,
    bool_or(set_ = 'both') AS in_both
FROM (
    SELECT {{ scope }}file, phone, size, 'found' AS set_ FROM {{ found_spans }}
    UNION ALL
    SELECT {{ scope }}file, phone, size, 'gold' FROM {{ all_spans }}
    UNION ALL
    SELECT *, 'both' FROM both_apart
    UNION ALL
    SELECT *, 'both' FROM both_touching
)
GROUP BY ALL
