{# The marks of each part: as the input has them, else dealt out by the order of the files, else one part. #}
SELECT part, file, speaker, right_answer
FROM {{ marks }}
JOIN (
{% if parts.given %}
    SELECT part, file FROM {{ parts }}
{% elif n_parts.value > 0 %}
    SELECT (row_number() OVER (ORDER BY file) - 1) % {{ n_parts }} AS part, file FROM (SELECT DISTINCT file FROM {{ marks }})
{% else %}
    SELECT DISTINCT 0::BIGINT AS part, file FROM {{ marks }}
{% endif %}
) USING (file)
