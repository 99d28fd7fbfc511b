{# The detections with a score of at least the parameter `threshold`, whatever their decisions. Without a threshold there
   are none. #}
SELECT *
FROM {{ scored_detections }}
WHERE ranked_score(score) >= {{ threshold }}
