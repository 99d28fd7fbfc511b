{# The distinct word tokens, each with the number of its run. A run is a sequence of words of one recording in which
   every word begins where the previous word ends, within the tolerance (`gap_time`, `gap_fraction`). Labels in the
   parameter `silent_words` are not words. Every word has a row of corpus_checks, which is read for its warnings. #}
{% import "term_discovery/tde2015/contiguous.jinja" as gaps with context %}
WITH tokens AS (
    SELECT DISTINCT file, {{ times.value }}(onset) AS onset, {{ times.value }}("offset") AS "offset", label
    FROM {{ words }} SEMI JOIN {{ corpus_checks }} USING (file)
    WHERE label NOT IN {{ silent_words }}
),
followed AS (
    SELECT *, lag("offset") OVER (PARTITION BY file ORDER BY onset, "offset", label) AS ended FROM tokens
)
SELECT * EXCLUDE (ended), count_if(ended IS NULL OR NOT {{ gaps.contiguous("ended", "onset") }})
    OVER (PARTITION BY file ORDER BY onset, "offset", label ROWS UNBOUNDED PRECEDING) AS run
FROM followed
