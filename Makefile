# The verbs of this project. `make help` lists them.
PYTHON ?= python3
VENV ?= .venv
# How many tests run beside each other, a file of them always in one process: more than there are cores, as those in a browser wait.
WORKERS ?= 5
BIN := $(VENV)/bin
SHELL := /bin/bash

# Some containers forbid Python to write bytecode. Then every process that a test starts compiles the 500 modules of the companion
# for itself (0.8 s each), and every worker of the tests rewrites all their assertions (16 s each).
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test slow lint format types imports scripts install bench networks clean

help: ## list the verbs
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 12

$(VENV)/.installed: pyproject.toml setup.py
	@bash .ci/python-ready $(PYTHON)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.tests-installed: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

install: $(VENV)/.installed ## make the environment and install the companion into it

demo: $(VENV)/.installed ## play the bundled recorded table on the page, no hardware needed
	$(BIN)/companion demo

test: $(VENV)/.tests-installed system ## install what the tests need and run them
	@$(MAKE) --no-print-directory -j2 collected types scripts lint imports
	@if command -v avr-gcc >/dev/null; then $(MAKE) --no-print-directory firmware; fi
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

.PHONY: collected
collected: $(VENV)/.tests-installed # once in one process, which leaves its bytecode to the workers: together they would all make it
	@$(BIN)/pytest --collect-only >/dev/null || $(BIN)/pytest --collect-only

slow: $(VENV)/.tests-installed collected ## run the exhaustive tests as well
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m 'slow or not slow'

.PHONY: slow-pages
slow-pages: $(VENV)/.tests-installed ## run the tests of pages with pages four times slower: finds what a test did not wait for
	SLOW_PAGES=4 $(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $$(grep -rl --include='test_*.py' -e 'page: Any' -e chromium tests)

.PHONY: system
system: # system packages the tests need; as root they are installed, otherwise named
	@bash .ci/system-packages

lint: $(VENV)/.tests-installed ## check style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.tests-installed ## put style and format right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	@if [ -x node_modules/.bin/prettier ]; then node_modules/.bin/prettier --write --log-level warn 'web/static/script/**/*.js' '*.config.js'; fi

types: $(VENV)/.tests-installed ## check types
	$(BIN)/mypy

imports: $(VENV)/.tests-installed ## check that imports run downwards
	$(BIN)/lint-imports

node_modules/.installed: package.json package-lock.json
	npm ci --silent --no-audit --no-fund
	@touch $@

scripts: ## check style, format and types of the page's scripts (needs Node.js 18.18 or newer with npm)
	@if command -v node >/dev/null && command -v npm >/dev/null; then \
	  if $(MAKE) --no-print-directory node_modules/.installed; then bash .ci/scripts-check; \
	  else echo "the page's scripts were not checked: npm could not fetch their tools" >&2; fi; \
	else \
	  echo "the page's scripts were not checked: node and npm are not installed (Debian, Ubuntu: apt-get install nodejs npm)" >&2; \
	fi

.PHONY: firmware
firmware: ## build the button box's program, show its sizes and compare it with the prebuilt one
	@$(MAKE) --no-print-directory -C firmware check

bench: $(VENV)/.installed ## measure the speed figures
	$(BIN)/companion bench

networks: $(VENV)/.installed ## rebuild the plain reader's networks and weights from nothing (hours; needs PyTorch)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[training]'
	$(BIN)/python -m companion.calibration.training.rebuild

clean: ## remove the environment and caches
	rm -rf $(VENV) node_modules build .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
