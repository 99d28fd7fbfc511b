{# The rules of the input `glm`. A rule has a fault if its format found a problem, or if braces in its replacement do not
   enclose alternatives. #}
SELECT *, {{ "false" if glm_faults.value == "skip" else "fault IS NOT NULL" }} AS refused,
    concat('line ', line, ': ', fault) AS left_out
FROM (
    SELECT * EXCLUDE (problem), coalesce(problem, if(
        regexp_full_match(coalesce(replacement, ''), '[^{}]*([{][^{}]*[}][^{}]*)*'), NULL,
        concat('the braces of the replacement ', replacement, ' do not enclose alternatives, such as {a b / c}'))) AS fault
    FROM {{ glm }}
)
