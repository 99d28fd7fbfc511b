"""Which of several systems is better: paired comparison and leaderboards, over results databases."""
