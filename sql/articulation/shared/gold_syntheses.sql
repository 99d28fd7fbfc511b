{# The targets of each token as its synthesis, in each task. #}
SELECT token, task,
    [[0e0], [0e0], [0e0], [0e0]] AS cps,
    reference_tongue_height AS tongue_height, reference_ema_TT AS ema_TT, reference_ema_TB AS ema_TB,
    target_log_mel AS log_mel, target_signal AS signal, target_rate AS rate, target_loudness AS loudness,
    target_semantic_vector AS semantic_vector
FROM {{ tokens }} CROSS JOIN {{ allowed_tasks }}
