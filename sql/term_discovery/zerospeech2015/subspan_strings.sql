{# The phones at which a sub-span of a member can begin, each with the codes of the longest sub-span that begins there,
   at most `max_phones`. A blank stands for a phone that the fold lacks (distinct_members). The transcription of a
   sub-span of n phones is the first n characters, without blanks. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
SELECT file, first_phone + before AS phone, arg_max(substr(codes, before + 1, {{ max_phones }}), span_size - before) AS codes
FROM {{ subspans.starts(distinct_members) }}
GROUP BY ALL
