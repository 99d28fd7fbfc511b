{# The phones of members of clusters at which a sub-span can begin, with the first codes there: as many as the smallest
   span of both P_disc* and P_all has. Phones with fewer phones left in their utterance are left out, because no span of
   both sets begins there. #}
{# This is a separate relation because the group-by that reads it (repeated_subspans) would run out of memory together
   with this join. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
{% set fewest = subspans.fewest_in_both() %}
SELECT start_.cluster, start_.pair_speaker, start_.file, start_.phone, reach_from, reach_to,
    before, span_size, left(codes, {{ fewest }}) AS first_phones
FROM (SELECT *, first_phone + before AS phone FROM {{ subspans.starts(longest_partners, fewest) }}) AS start_
JOIN {{ phone_runs }} AS run_
    ON run_.file = start_.file AND run_.phone = start_.phone
    AND remaining >= {{ fewest }}
