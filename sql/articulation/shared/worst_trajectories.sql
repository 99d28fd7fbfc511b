{# Evidence: the frames of the trajectories with the largest errors, for pictures. Of each task, there are the three tokens
   with the largest error relative to the baseline in each of the subscores tongue_height, ema and loudness: a row for each
   frame of each axis of synthesis and target. Loudness that is not given is the mean over the bands of the spectrogram. #}
{% macro frames(sequence) %}list_transform({{ sequence }}, lambda frame: [frame]){% endmacro %}
{% macro loudness(given, spectrogram) %}{{ frames("coalesce(" ~ given ~ ", list_transform(" ~ spectrogram ~ ", lambda bands: list_avg(bands)))") }}{% endmacro %}
WITH worst AS (
    SELECT coalesce(submission, '') AS submission, task, token, label, subscore, error / baseline_error AS ratio
    FROM {{ token_errors }}
    WHERE error IS NOT NULL AND baseline_error > 0 AND task <> 'baseline' AND subscore IN ('tongue_height', 'ema', 'loudness')
    QUALIFY row_number() OVER (PARTITION BY submission, task, subscore ORDER BY ratio DESC, token) <= 3
), sequences AS (
    SELECT worst.*, unnest([
            {sequence: 'tongue height', of: 'tongue_height', line: 'synthesis', names: [''], frames: {{ frames("own.tongue_height") }}},
            {sequence: 'tongue height', of: 'tongue_height', line: 'target', names: [''], frames: {{ frames("gold.reference_tongue_height") }}},
            {sequence: 'TT', of: 'ema', line: 'synthesis', names: ['x', 'y', 'z'], frames: own.ema_TT},
            {sequence: 'TT', of: 'ema', line: 'target', names: ['x', 'y', 'z'], frames: gold.reference_ema_TT},
            {sequence: 'TB', of: 'ema', line: 'synthesis', names: ['x', 'y', 'z'], frames: own.ema_TB},
            {sequence: 'TB', of: 'ema', line: 'target', names: ['x', 'y', 'z'], frames: gold.reference_ema_TB},
            {sequence: 'loudness', of: 'loudness', line: 'synthesis', names: [''], frames: {{ loudness("own.loudness", "own.log_mel") }}},
            {sequence: 'loudness', of: 'loudness', line: 'target', names: [''], frames: {{ loudness("gold.target_loudness", "gold.target_log_mel") }}}
        ], recursive := true)
    FROM worst
    JOIN {{ submission }} AS own ON coalesce(own.submission, '') = worst.submission AND own.task = worst.task AND own.token = worst.token
    JOIN {{ tokens }} AS gold ON gold.token = worst.token
), numbered AS (
    SELECT * EXCLUDE (frames), unnest(frames) AS axes, generate_subscripts(frames, 1) AS frame, len(frames) AS length
    FROM sequences
    WHERE of = subscore
)
SELECT nullif(submission, '') AS submission, task, token, label, subscore, ratio, line, frame, frame / length AS position,
    trim(sequence || ' ' || names[place]) AS axis, axes[place] AS value
FROM numbered, (SELECT unnest(range(1, 4)) AS place)
WHERE isfinite(axes[place]) AND place <= len(names)
