{# The distinct word tokens of each fold. Labels in the parameter `silent_words` are not words. Every
   word has a row of corpus_checks, which is read for its warnings. #}
{% import "term_discovery/shared/folds.jinja" as folds with context %}
WITH tokens AS (
    SELECT DISTINCT file, {{ times.value }}(onset) AS onset, {{ times.value }}("offset") AS "offset", label
    FROM {{ words }} SEMI JOIN {{ corpus_checks }} USING (file)
    WHERE label NOT IN {{ silent_words }}
)
{{ folds.in_folds("tokens") }}
