{# The scores of trials, each with its logarithmic cost in bits (Eq 37, divided by ln 2). With llr = γ·score + δ (Eq 44),
   which is read as a log-likelihood ratio, it is log2(1 + exp(−(llr + logit(P_tar)))) for a target trial, and
   log2(1 + exp(llr + logit(P_tar))) for a nontarget trial. Costs of 10^15 bits or more count as infinite. #}
{% import "term_detection/shared/costs.jinja" as costs %}
{{ costs.with_costs("", trial_scores, operating_point, score_scale, score_offset) }}
