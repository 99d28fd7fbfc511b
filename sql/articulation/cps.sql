{# The control parameters of each token. #}
{% import "articulation/produced.jinja" as made with context %}
SELECT submission, task, token, cps AS sequence
FROM (
    {{ made.produced(["cps"]) | indent }}
)
