{# The queries that have targets, each with the weight of one hit and of one false alarm in the rates averaged over
   queries. A target of q weighs 1 / (targets(q) · |Q|) and a nontarget trial weighs 1 / (nontargets(q) · |Q|), as whole
   numbers in units of 2^-90, so that sums do not depend on the order of rows. #}
SELECT query, query_place,
    (one_weight() * 2 + queries * targets) // (2 * queries * targets) AS hit_weight,
    (one_weight() * 2 + queries * nontargets) // nullif(2 * queries * nontargets, 0) AS false_alarm_weight
FROM (
    SELECT query, place AS query_place, targets::HUGEINT AS targets, (documents - targets)::HUGEINT AS nontargets,
        (count(*) OVER ())::HUGEINT AS queries
    FROM {{ scored_queries }}
    WHERE targets > 0
)
