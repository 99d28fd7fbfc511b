{# How scores and decisions are distributed: numbers of trials that the system does not list, of trials with YES and with
   NO, and of trials with NO at their lowest score. #}
SELECT count(*) AS trials, count_if(NOT submitted) AS unlisted, count_if(yes) AS accepted, count_if(NOT yes) AS rejected,
    count_if(NOT yes AND score = lowest) AS at_lowest
FROM {{ trial_scores }}, (SELECT min(score) FILTER (WHERE NOT yes) AS lowest FROM {{ trial_scores }})
