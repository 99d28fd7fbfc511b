{# The sequences that the function differences reads: the control parameter trajectories (cps) of each synthesis. #}
{% import "articulation/shared/syntheses.jinja" as syntheses with context %}
SELECT submission, task, token, cps AS sequence
FROM (
    {{ syntheses.rows(["cps"]) | indent }}
)
