{# Without a partner, the error of a speaker is 1. #}
SELECT reference_.doc, reference_.speaker AS reference_speaker, hypothesis_.speaker AS hypothesis_speaker,
    reference_.frames AS reference_frames, coalesce(hypothesis_.frames, 0) AS hypothesis_frames,
    coalesce(shared_frames, 0) AS shared_frames, coalesce(jaccard_error, 1) AS jaccard_error
FROM (FROM {{ frame_speakers }} WHERE side = 'reference') AS reference_
LEFT JOIN {{ frame_mapping }} AS mapped_ ON mapped_.doc = reference_.doc AND mapped_.left_row = reference_.number
LEFT JOIN {{ frame_pairs }} AS pair_
    ON pair_.doc = mapped_.doc AND pair_.left_row = mapped_.left_row AND pair_.right_row = mapped_.right_row
LEFT JOIN (FROM {{ frame_speakers }} WHERE side = 'hypothesis') AS hypothesis_
    ON hypothesis_.doc = mapped_.doc AND hypothesis_.number = mapped_.right_row
