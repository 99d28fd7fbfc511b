{# The tasks of each submission. A task that is not among `task_names` is a fault, unless `*` is among them. The message
   names the allowed task that is most similar to it, if the similarity of Jaro and Winkler is 0.8 or more: copy-sinthesis
   and copy-synthesis have 0.97. #}
WITH allowed AS (SELECT unnest({{ task_names }}) AS name),
present AS (
    SELECT coalesce(submission, '') AS submission, task, min(line) AS line
    FROM {{ submission }}
    GROUP BY ALL
),
unknown AS (
    SELECT task, max(similarity) AS similarity, max_by(name, (similarity, name)) AS name
    FROM (
        SELECT task, name, jaro_winkler_similarity(task, name) AS similarity
        FROM (SELECT DISTINCT task FROM present)
        LEFT JOIN allowed ON true
    )
    GROUP BY task
    HAVING count_if(name IN (task, '*')) = 0
)
SELECT submission, task, line,
    CASE WHEN unknown.task IS NOT NULL THEN concat('unknown task ', task, ' of submission ' || nullif(submission, ''), '; ',
        if(similarity >= 0.8, 'did you mean ' || name || '?', 'allowed: ' || array_to_string({{ task_names }}, ', ')),
        ' (parameter task_names)')
    END AS fault
FROM present
LEFT JOIN unknown USING (task)
