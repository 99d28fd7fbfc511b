{# The trials of each query, with the logarithmic costs of their scores, as in trial_costs. A row without trials has no
   score, and costs nothing. #}
{% import "term_detection/shared/costs.jinja" as costs %}
{{ costs.with_costs("query, ", query_trials, operating_point, score_scale, score_offset) }}
