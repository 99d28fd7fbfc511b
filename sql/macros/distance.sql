-- Edits between two strings of symbols. The builtin counts bytes, so it serves strings of one-byte symbols;
-- others go to the Python function of the same meaning.
CREATE OR REPLACE MACRO edit_distance(a, b) AS CASE
    WHEN strlen(a) = length(a) AND strlen(b) = length(b) THEN levenshtein(a, b)
    ELSE edit_distance_of_symbols(a, b)
END;
