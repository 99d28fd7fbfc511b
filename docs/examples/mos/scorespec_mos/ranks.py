"""Rank correlations: how far two scores agree on the order of things."""

from scipy.stats import kendalltau, spearmanr

from scorespec.plugin import NUMBER, Column, group_function


def rank_correlations(group):
    """Spearman's rho and Kendall's tau-b of the rows of a group."""
    rated, predicted = group["rated"], group["predicted"]
    if len(set(rated)) < 2 or len(set(predicted)) < 2:  # no order
        return {"rho": [None], "tau": [None]}
    rho = spearmanr(rated, predicted).statistic
    tau = kendalltau(rated, predicted).statistic
    return {"rho": [rho], "tau": [tau]}


RANK_CORRELATIONS = group_function(
    rank_correlations,
    about="Spearman's rho and Kendall's tau-b; NULL if there is no order",
    columns=[Column("rated", (NUMBER,)), Column("predicted", (NUMBER,))],
    result={"rho": NUMBER, "tau": NUMBER},
)
