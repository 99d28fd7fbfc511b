# Every target sets up what it needs in .venv; only Python (3.11 or newer) and a package index are assumed.
# `make test PYTHON=python3.13` tests another Python, in an environment of its own.
PYTHON ?= python3
ifeq ($(origin PYTHON),command line)
VENV   := .venv-$(notdir $(PYTHON))
else
VENV   := .venv
endif
LOWEST := .venv-lowest
ENGINES := .venv-engines
PEERS  := .venv-peers
BIN    := $(VENV)/bin
RUN    := $(VENV)/.installed
TEST   := $(VENV)/.installed-test
DOCS   := $(VENV)/.installed-docs

.PHONY: demo test agreement test-all test-lowest test-engines test-report fuzz mutations lint bench bench-scale bench-bounds bench-threads bench-start bench-resampling bench-peers simulate docs wheel clean

demo: $(RUN)
	$(BIN)/scorespec demo

# Neighbours in a file share runs: `worksteal` keeps them in one process, and divides what is left at the end.
# Some environments forbid bytecode files. Here they are written: otherwise each process compiles every module again.
# tcache_count is the number of freed objects of a size that glibc gives out again without a search; DuckDB frees
# thousands in each statement. OpenBLAS has one thread, because each core has a test process. Both save a tenth.
QUICKLY := PYTHONDONTWRITEBYTECODE= GLIBC_TUNABLES=glibc.malloc.tcache_count=2000 OPENBLAS_NUM_THREADS=1

# What you wait for before a commit: a test of each behaviour. pyproject.toml says which tests are slow.
test: $(TEST)
	$(QUICKLY) $(BIN)/python -m pytest -n auto --dist worksteal -m 'not slow'

# All tests, the reports of all suites in Chromium, whole suites in parts on all engines, and fuzzing.
test-all: $(TEST)
	REPORTS=all $(QUICKLY) $(BIN)/python -m pytest -n auto --dist worksteal
	$(MAKE) test-engines fuzz

# All tests with the lowest version of every dependency that pyproject.toml allows.
test-lowest: $(LOWEST)/.installed
	$(QUICKLY) $(LOWEST)/bin/python -m pytest -n auto --dist worksteal

# Many submissions, and one in parts, on every engine, also those that need not be installed.
test-engines: $(ENGINES)/.installed
	$(ENGINES)/bin/python -m pytest tests/cli/test_engines.py tests/cli/test_partitions.py

# The scores of other programs next to ours: agreement.yaml of each suite, of which `make docs` makes a page. Data and
# programs that are not on this machine are skipped.
agreement: $(TEST)
	$(QUICKLY) $(BIN)/python tests/agreement.py

# Opens the report of every suite in Chromium, a package of the system, and fails on any error or request of a page.
test-report: $(TEST)
	REPORTS=all $(BIN)/python -m pytest tests/cli/test_report.py -k browser

# Mutated inputs, types, documents and calls: `make fuzz SEED=7 MINUTES=30`.
SEED    ?= 1
MINUTES ?= 8
fuzz: $(TEST)
	$(BIN)/python tests/fuzz/run.py --seed $(SEED) --minutes $(MINUTES)

# One change of a comparison, sign or constant at a time, and the tests that see it: `make mutations SEED=7 NUMBER=50`.
NUMBER  ?= 200
mutations: $(TEST)
	$(BIN)/python tests/mutants.py --seed $(SEED) --number $(NUMBER)

lint: $(TEST)
	$(BIN)/ruff format --check --extend-exclude '*.md' engine tests docs
	$(BIN)/ruff format --check --line-length 80 README.md CONTRIBUTING.md docs/*.md docs/*/*.md
	$(BIN)/ruff check engine tests docs
	$(BIN)/mypy --strict engine
	$(BIN)/lint-imports --no-cache

bench: $(TEST)
	$(BIN)/python tests/benchmarks/run.py

bench-scale: $(TEST)
	$(BIN)/python tests/benchmarks/scale.py

bench-bounds: $(TEST)
	$(BIN)/python tests/benchmarks/bounds.py

bench-threads: $(TEST)
	$(BIN)/python tests/benchmarks/threads.py

bench-start: $(TEST)
	PYTHONDONTWRITEBYTECODE= $(BIN)/python tests/benchmarks/start.py

bench-resampling: $(TEST)
	$(BIN)/python tests/benchmarks/resampling.py

# The other programs have an environment of their own, because their dependencies are not ours.
bench-peers: $(TEST)
	test -d $(PEERS) || $(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet jiwer==4.0.0 kaldialign==0.12.0 meeteval==0.4.3 simplejson
	$(BIN)/python tests/benchmarks/peers.py $(PEERS)/bin/python

# The numbers of docs/simulations.md: coverage of intervals, size and power of tests; takes a few minutes.
simulate: $(TEST)
	$(BIN)/python tests/simulations/populations.py --save engine/scorespec/statistics/simulated.csv
	$(BIN)/python tests/simulations/fits.py
	$(BIN)/python tests/simulations/crossings.py
	PYTHONPATH=tests $(BIN)/python tests/simulations/gates.py

# Static pages in site/, which need neither a server nor the network.
docs: $(DOCS)
	rm -rf docs/reference site
	$(BIN)/python docs/generate_reference.py
	$(BIN)/python docs/generate_gallery.py
	$(BIN)/python docs/website/notebooks.py docs/reference/notebooks
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --jobs auto docs site
	$(BIN)/python docs/website/check.py site

# What a release uploads: the source, the wheel that is built from it, and a check of their metadata.
wheel: $(TEST)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'twine>=6.1'
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*

clean:
	rm -rf .venv .venv-* build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(RUN): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(TEST): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@ $(RUN)

$(LOWEST)/.installed: pyproject.toml tests/lowest.py
	$(PYTHON) -m venv --clear $(LOWEST)
	$(PYTHON) tests/lowest.py > $(LOWEST)/constraints.txt
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check \
		--constraint $(LOWEST)/constraints.txt --editable '.[test]'
	touch $@

$(ENGINES)/.installed: pyproject.toml
	$(PYTHON) -m venv $(ENGINES)
	$(ENGINES)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[test,dask,ray]'
	touch $@

$(DOCS): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@ $(RUN)
