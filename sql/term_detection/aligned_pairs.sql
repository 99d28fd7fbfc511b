{# The pairs of a detection and an occurrence that are aligned, one-to-one. Where every detection of an island may be
   aligned to one occurrence only, each occurrence takes its best detection. The other islands are solved by the
   function best_matching. #}
SELECT island, detection, occurrence
FROM {{ candidate_pairs }}
WHERE NOT contested
QUALIFY row_number() OVER (PARTITION BY island, occurrence ORDER BY gain_1 DESC, gain_2 DESC, gain_3 DESC, detection) = 1
UNION ALL
SELECT island, left_row, right_row FROM {{ rows }}
