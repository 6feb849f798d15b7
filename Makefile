# warpath: every command a person or a machine needs. `make help` lists them.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest -q -n 2 --dist loadfile
READY := .venv/.ready
BROWSER := .venv/.browser
UV := 0.13.8

.PHONY: help demo test test-all bench eval lint lock clean

help: ## List the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(READY) ## Ingest the starter lists, search once, plan one path
	@$(BIN)/warpath ingest
	@echo; echo '$$ warpath search "why is decode memory bound"'
	@$(BIN)/warpath search "why is decode memory bound" --limit 5
	@echo; echo '$$ warpath path "write an MLA decode kernel" --hardware MI355X --know "python, triton"'
	@$(BIN)/warpath path "write an MLA decode kernel" --hardware MI355X --know "python, triton"
	@echo; echo "Go on with:"
	@echo '  $(BIN)/warpath path "..."      a path to a goal of your own'
	@echo '  $(BIN)/warpath search "..."    search by meaning and words'
	@echo '  $(BIN)/warpath ingest FILE     a reading list of your own'
	@echo '  $(BIN)/warpath serve           a web page and REST on http://127.0.0.1:8000/'

test: $(READY) $(BROWSER) ## Run the tests
	@$(PYTEST) -m "not slow"

test-all: $(READY) $(BROWSER) ## Run all tests, the slow ones too, and the linters
	@$(MAKE) --no-print-directory lint
	@$(PYTEST)
	@WARPATH_TEST_NEO4J_VERSION=2026.08.1 $(PYTEST) tests/contract

bench: $(READY) ## Measure how warpath grows, embedded and on Neo4j, into docs/benchmarks.md
	@$(BIN)/python -m bench.scale

eval: $(READY) ## Measure search and paths on the judged questions of tests/gold, beside the baselines
	@export WARPATH_DATA=$$(mktemp -d) && trap 'rm -rf "$$WARPATH_DATA"' EXIT && $(BIN)/warpath ingest && \
		$(BIN)/warpath eval search tests/gold/search.jsonl && $(BIN)/warpath eval paths tests/gold/paths.jsonl

lint: $(READY) ## Check style, types and the direction of imports
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

lock: $(READY) ## Write requirements.lock anew from pyproject.toml: versions and hashes, no hosts
	@$(BIN)/uv pip compile pyproject.toml --group dev --generate-hashes --python-version 3.11 \
		--no-header --no-annotate --no-emit-index-url -q -o requirements.lock

# The page is tested in a real Chromium, Debian's; where that cannot be installed its tests say so and are skipped.
$(BROWSER): $(READY)
	@test -x /usr/bin/chromium || { echo "Installing chromium ..."; $$([ "$$(id -u)" = 0 ] || echo sudo) \
		sh -c 'apt-get update -qq && apt-get install -y -qq chromium' >/dev/null || echo "No chromium: its tests are skipped."; }
	@touch $@

clean: ## Remove the environment and caches; your data folder stays
	@rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

# Debian ships python3 without venv; uv then installs the locked versions in parallel and shows how far it is.
$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "Installing python3-venv ..."; \
		$$([ "$$(id -u)" = 0 ] || echo sudo) sh -c 'apt-get update -qq && apt-get install -y -qq python3-venv'; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV)
	@$(BIN)/uv pip install --python $(BIN)/python --require-hashes -r requirements.lock
	@$(BIN)/uv pip install --python $(BIN)/python --no-deps --quiet -e .
	@touch $@
