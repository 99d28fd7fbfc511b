scorespec score wer reference=ref.trn hypothesis=hyp.trn -o runs.duckdb
scorespec demo wer
scorespec validate wer hypothesis=hyp.trn
scorespec reference-points wer reference=ref.trn
scorespec describe wer reference=ref.trn
scorespec report runs.duckdb old new -o report.html
scorespec plot runs.duckdb wer old new -o wer.svg
scorespec query runs.duckdb 'FROM scores'
scorespec compare runs.duckdb old new --metric wer
scorespec leaderboard runs.duckdb
scorespec gate runs.duckdb new --baseline old --targets targets.yml
scorespec calibrate dev.duckdb my-system
scorespec list suites
scorespec show wer
scorespec check my-metric.yaml
scorespec compile wer
scorespec explain wer word_outcomes reference=ref.trn hypothesis=hyp.trn
scorespec schema
scorespec runs list runs.duckdb
scorespec runs show runs.duckdb new
scorespec runs add runs.duckdb other.duckdb
scorespec runs remove runs.duckdb old
scorespec challenge codabench wer reference=ref.trn -o bundle
