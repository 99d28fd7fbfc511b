# Every target sets up what it needs in .venv; only Python (3.11 or newer) and a package index are assumed.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUN    := $(VENV)/.installed
TEST   := $(VENV)/.installed-test
DOCS   := $(VENV)/.installed-docs

.PHONY: demo test lint bench bench-scale bench-bounds bench-threads docs wheel clean

demo: $(RUN)
	$(BIN)/scorespec demo

test: $(TEST)
	$(BIN)/python -m pytest -n auto

lint: $(TEST)
	$(BIN)/ruff format --check engine tests docs
	$(BIN)/ruff check engine tests docs
	$(BIN)/mypy --strict engine

bench: $(TEST)
	$(BIN)/python tests/benchmarks/run.py

bench-scale: $(TEST)
	$(BIN)/python tests/benchmarks/scale.py

bench-bounds: $(TEST)
	$(BIN)/python tests/benchmarks/bounds.py

bench-threads: $(TEST)
	$(BIN)/python tests/benchmarks/threads.py

docs: $(DOCS)
	$(BIN)/python docs/generate_reference.py
	$(BIN)/mkdocs build --strict

wheel: $(TEST)
	$(BIN)/python -m build --wheel

clean:
	rm -rf $(VENV) build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(RUN): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(TEST): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@ $(RUN)

$(DOCS): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@ $(RUN)
