{# The largest rank error that there could be: every other label is nearer; or what the parameter says. #}
SELECT if({{ rank_span }} > 0, {{ rank_span }}, count(*) - 1) AS span FROM {{ labels }}
