{# The words of both texts without the words in the parameter `fillers`. With filler_treatment = optional, these are optional
   words. An alternative that consists of fillers becomes the alternative without words. #}
{% if not fillers.value %}
FROM {{ normalized_words }}
{% else %}
SELECT * EXCLUDE (filler) REPLACE ({{ "if(filler, NULL, word) AS word" if filler_treatment.value == "remove" else "optional OR filler AS optional" }})
FROM (SELECT *, coalesce(word IN (SELECT unnest(words) FROM {{ filler_words }}), false) AS filler FROM {{ normalized_words }})
WHERE branch IS NOT NULL OR NOT filler{{ " OR true" if filler_treatment.value == "optional" }}
{% endif %}
