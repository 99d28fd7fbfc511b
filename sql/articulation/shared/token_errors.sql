{# Evidence: the error of each token in each of the seven subscores, for each task and for the baseline, or the reason why
   there is no error. #}
{% for each in [tongue_height_errors, ema_errors, velocity_jerk_errors, loudness_errors, spectrogram_errors, semantic_distance_errors, semantic_rank_errors] %}
SELECT submission, task, token, label, subscore, error, baseline_error, left_out FROM {{ each }}
{{ "UNION ALL" if not loop.last }}
{% endfor %}
