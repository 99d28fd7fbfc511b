{# The words of both texts (side 0: reference, side 1: hypothesis), numbered in order, each with the number of its
   stretch. Rules are applied within stretches. A segment is one stretch, but each alternative and each optional word is
   a stretch of its own: `a b { c / d } e` has the stretches `a b`, `c`, `d` and `e`. The number of a stretch is the
   number of its first word. #}
SELECT *, max(if(begins, row, NULL)) OVER (ORDER BY row ROWS UNBOUNDED PRECEDING) AS stretch
FROM (
    SELECT *, part = 0 AND (optional OR coalesce(lag(optional) OVER within, true)
            OR (alternation, branch) IS DISTINCT FROM lag((alternation, branch)) OVER within) AS begins
    FROM (
        SELECT *, row_number() OVER (ORDER BY side, document, segment_number, number, part) AS row
        FROM (
            SELECT 0 AS side, * FROM {{ reference_lexemes }}
            UNION ALL BY NAME
            SELECT 1 AS side, * FROM {{ hypothesis_lexemes }}
        )
    )
    WINDOW within AS (PARTITION BY side, document, segment_number ORDER BY row)
)
