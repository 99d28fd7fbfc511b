{# The phones that scored fragments cover, as spans. No two spans have a phone in common. They are the covered part of
   the corpus (parameter `corpus`). #}
{% import "term_discovery/zerospeech2015/islands.jinja" as islands %}
WITH spans AS (
    SELECT file, first_phone, last_phone FROM {{ scored_fragments }} WHERE text <> ''
)
{{ islands.merged("spans", ["file"], "first_phone", "last_phone") }}
