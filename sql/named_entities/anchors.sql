{# Words of long runs. #}
SELECT document, 0 AS ref_position, 0 AS hyp_position FROM {{ reference_words }} WHERE false
