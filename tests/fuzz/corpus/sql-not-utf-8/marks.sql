-- ÿ
SELECT 1 AS x