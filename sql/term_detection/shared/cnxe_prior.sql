{# One row for each slice: the effective prior P_tar (Eq 23), and whether there are more unaligned detections than
   nontarget trials, so that the trials cannot be counted (`excess_detections`, see trial_scores). #}
SELECT bool_or(excess_detections) AS excess_detections, any_value(p_tar) AS p_tar
FROM {{ trial_scores }}, (SELECT p_tar FROM {{ operating_point }})
GROUP BY ALL
