PYTHON ?= python3
BIN := .venv/bin
LIBRARIES := .venv-libraries/bin

.PHONY: demo test test-libraries lint bench docs golden clean

demo: .venv/installed
	$(BIN)/exactspec check examples/theory.yaml

test: .venv/installed
	$(BIN)/python -m pytest -n auto --dist worksteal

# what make test skips: the audit of samplers in NumPy, PyTorch, Triton and MLX, and of published packages
NEED_LIBRARIES = $(shell grep -lE 'importorskip|find_spec' tests/audit/test_*.py) exactspec/audit/sources

test-libraries: .venv-libraries/installed
	TRITON_INTERPRET=1 $(LIBRARIES)/python -m pytest -n auto --dist worksteal $(NEED_LIBRARIES)

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/installed
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.proofs
	$(BIN)/python -m benchmarks.audits

docs: .venv/docs-installed
	$(BIN)/sphinx-build -W -b html docs docs/_build/html

golden: .venv/installed
	$(BIN)/python -m pytest -q --overwrite-golden

clean:
	rm -rf .venv .venv-libraries build dist docs/_build

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $@

.venv-libraries/installed: pyproject.toml tests/audit/libraries.txt tests/audit/packages.txt
	$(PYTHON) -m venv .venv-libraries
	$(LIBRARIES)/pip install --quiet --editable '.[dev]' --requirement tests/audit/libraries.txt
	$(LIBRARIES)/pip install --quiet --no-deps --requirement tests/audit/packages.txt
	touch $@

.venv/docs-installed: .venv/installed
	$(BIN)/pip install --quiet --editable '.[docs]'
	touch $@
