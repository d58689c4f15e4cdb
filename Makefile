PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint bench docs golden clean

demo: .venv/installed
	$(BIN)/exactspec check examples/theory.yaml

test: .venv/installed
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/installed
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.proofs

docs: .venv/docs-installed
	$(BIN)/sphinx-build -W -b html docs docs/_build/html

golden: .venv/installed
	$(BIN)/python -m pytest -q --overwrite-golden

clean:
	rm -rf .venv build dist docs/_build

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $@

.venv/docs-installed: .venv/installed
	$(BIN)/pip install --quiet --editable '.[docs]'
	touch $@
