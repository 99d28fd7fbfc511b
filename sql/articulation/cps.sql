{# The sequences that the function differences reads: the control parameter trajectories (cps) of each synthesis. #}
{% import "articulation/produced.jinja" as outputs with context %}
SELECT submission, task, token, cps AS sequence
FROM (
    {{ outputs.produced(["cps"]) | indent }}
)
