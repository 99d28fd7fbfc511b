{# The tokens of the fragments, and in which sets of pairs each occurs. #}
SELECT {{ scope }}text, token_file, token_phone,
    bool_or(in_found) AS in_found, bool_or(in_gold) AS in_gold, bool_or(in_both) AS in_both
FROM {{ span_sets }}
JOIN {{ fragment_keys }} USING ({{ scope }}file, first_phone, last_phone)
GROUP BY ALL
