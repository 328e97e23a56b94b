# Two commands matter: `make run` and `make test`. Each sets up what it needs in .venv, once.

PYTHON ?= python3
HOST ?= localhost
PORT ?= 8501

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

# Three pytest workers share two cores, for one of them often waits for a browser; each keeps to one thread. Bytecode is kept whatever the environment
# says: the tests start Python some hundred times.
ALONE := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=
PYTEST := $(ALONE) $(BIN)/python -m pytest --quiet --numprocesses 3 --dist worksteal

# What make check leaves out: whatever starts processes, pages or browsers, and a few long files.
LONG := answer app benchmarks browser cli docs evaluation fuzz papers recipes studies test_extensions.py test_imports.py \
  test_wheel.py classifiers/test_scikit_learn.py datasets/test_download.py datasets/formats/test_fuzz.py datasets/formats/test_real.py \
  selectors/test_constraints.py selectors/test_contract.py selectors/test_grro.py selectors/test_memory.py

.PHONY: help run dev test check lint format docs bench fuzz clean

help:  ## list these verbs
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile
	@echo 'Options: PORT=8502, HOST=0.0.0.0 (open to the network), PYTHON=python3.12, ARGS="-k els" (test, check, bench, fuzz).'

run: $(VENV)/runtime  ## start the app and print its address
	@$(BIN)/python -c 'import socket; socket.create_server(("$(HOST)", $(PORT))).close()' 2>/dev/null || \
	  { echo "Cannot listen on $(HOST):$(PORT): the port is taken or not allowed. Choose another, say: make run PORT=8502"; exit 1; }
	@$(BIN)/python -m streamlit run app.py --server.address $(HOST) --server.port $(PORT)

dev: $(VENV)/development  ## start the app so that it follows changes of its files (slower, and not for a class)
	@$(BIN)/python -m streamlit run app.py --server.address $(HOST) --server.port $(PORT) \
	  --server.fileWatcherType auto --server.runOnSave true

test: $(VENV)/development  ## run every test
	@tests/browser/install.sh $(BIN)/python
	@$(PYTEST) $(ARGS)

check: lint  ## lint, and the quick part of the tests: less than a minute
	@$(PYTEST) $(LONG:%=--ignore=tests/%) $(ARGS)

lint: $(VENV)/development  ## check style, format and types
	@$(BIN)/python -m ruff check --quiet
	@$(BIN)/python -m ruff format --check --quiet
	@$(BIN)/python -m mypy

format: $(VENV)/development  ## put the code into its usual form
	@$(BIN)/python -m ruff check --quiet --fix
	@$(BIN)/python -m ruff format

docs: $(VENV)/development  ## build the API reference from the docstrings
	@$(BIN)/python docs/api.py build/api
	@echo "Open build/api/index.html in a browser."

bench: $(VENV)/development  ## time the methods against their peers
	@$(BIN)/python -m benchmarks $(ARGS)

fuzz: $(VENV)/development  ## try odd and damaged files, arguments and links for a minute (SECONDS=600 for longer)
	@$(ALONE) $(BIN)/python -m fuzz $(if $(SECONDS),--seconds $(SECONDS)) $(ARGS)

clean:  ## remove .venv and every cache
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Each stamp is written last, so that a broken-off installation is taken up again.
$(VENV)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "mlfs needs Python 3.11 or newer, and '$(PYTHON)' is not. Name one that is, say: make run PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/runtime: requirements.txt pyproject.toml | $(VENV)/python
	@echo "Installing requirements.txt into $(VENV): once, a minute or two."
	@$(PIP) install --prefer-binary -r requirements.txt -e .
	@touch $@

$(VENV)/development: requirements.txt requirements-dev.txt pyproject.toml | $(VENV)/python
	@echo "Installing requirements-dev.txt into $(VENV): once, a minute or two."
	@$(PIP) install --prefer-binary -r requirements-dev.txt -e .
	@touch $(VENV)/runtime $@
