{# The virtual sensors beside the measured ones. #}
{% import "articulation/produced.jinja" as made with context %}
SELECT submission, task, token, ema_TT, reference_ema_TT, ema_TB, reference_ema_TB
FROM (
    {{ made.produced(["ema_TT", "ema_TB"]) | indent }}
)
JOIN {{ tokens }} USING (token)
