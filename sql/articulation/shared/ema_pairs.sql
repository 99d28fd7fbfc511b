{# The sequences that the functions resample_to_longer and rmse compare: the trajectories of the virtual sensors TT
   (tongue tip) and TB (tongue body) and the measured EMA trajectories of the token. #}
{% import "articulation/shared/syntheses.jinja" as syntheses with context %}
SELECT submission, task, token, ema_TT, reference_ema_TT, ema_TB, reference_ema_TB
FROM (
    {{ syntheses.rows(["ema_TT", "ema_TB"]) | indent }}
)
JOIN {{ tokens }} USING (token)
