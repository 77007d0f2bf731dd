# `make` lists what there is. The first run sets up .venv; later runs do no set-up and need no network.
SHELL := /bin/sh
BIN := .venv/bin
PY := $(BIN)/python
WORKERS ?= 3
N ?=
PLAIN_TOO := tests/solver tests/engine/rummy

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test check format lint types bench examples openapi clients docs guides screenshots fuzz fuzz-http torture soak clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-11s %s\n", $$1, $$2}' Makefile

run: .venv/.run build/guides/.made-from build/compiled/.tried ## the service on http://127.0.0.1:8000 (CARDREF_HOST, CARDREF_PORT)
	@exec $(PY) -m service

test: .venv/.dev build/compiled/.tried ## all tests; those of the engine and the solver once more as plain Python, where the search is compiled
	@$(PY) -m pytest -q -rfEs -n $(WORKERS) --dist worksteal
	@if [ -e build/compiled/made-from ]; then CARDREF_COMPILED=no $(PY) -m pytest -q -rfEs -n $(WORKERS) --dist worksteal $(PLAIN_TOO); fi

check: lint types test ## everything that must pass: format, lint, types, tests

format: .venv/.dev ## put the code in shape
	@$(BIN)/ruff check --fix-only -q . && $(BIN)/ruff format .

lint: .venv/.dev ## format and lint of code, Dockerfile and compose.yaml
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/hadolint Dockerfile
	@if docker compose version >/dev/null 2>&1; then set -x; docker compose config --quiet; \
	elif docker-compose --version >/dev/null 2>&1; then set -x; docker-compose config --quiet; \
	else echo "NOT CHECKED: compose.yaml by docker compose, which is not installed here (tests/test_house.py checks its shape)"; fi

types: .venv/.dev ## mypy --strict
	$(BIN)/mypy

bench: .venv/.dev build/compiled/.tried ## the benchmarks, one table
	@$(PY) -m bench

examples: .venv/.dev ## send what the worked examples ask, and write down what is answered
	@$(PY) -m tests.service.renew_examples
	@$(PY) -m service openapi

openapi: .venv/.run ## write openapi.yaml from the code
	@$(PY) -m service openapi

clients: .venv/.dev tests/clients/node_modules ## renew what clients/python and clients/typescript take from openapi.yaml
	@$(PY) -m tools.clients.renew

docs: .venv/.run ## renew what README.md and docs/*.md take from the code
	@$(PY) -m service docs

guides: build/guides/.made-from ## build the guides that the service shows at /docs/guides

screenshots: .venv/.dev ## take the pictures of the pages that README.md and docs/play.md show (needs Chromium)
	@$(PY) tools/screenshots.py

fuzz: .venv/.dev ## hands proved both ways (N=100000), against brute force (N/5), random matches against the laws, and played and told ones against a second counter (N/100)
	@$(PY) -m bench.fuzz_proofs $(N)
	@$(PY) -m bench.fuzz_hands $(if $(N),$$(( ($(N) + 4) / 5 )))
	@$(PY) -m bench.fuzz_games $(if $(N),$$(( ($(N) + 99) / 100 )))
	@$(PY) -m bench.fuzz_matches $(if $(N),$$(( ($(N) + 99) / 100 )))

fuzz-http: .venv/.dev ## mutants of valid calls of every route, in process and over HTTP (N=1000000)
	@$(PY) -m bench.fuzz_http $(N)

torture: .venv/.dev ## crashes, fail-overs and races against real stores
	@$(PY) -m bench.torture

soak: .venv/.dev ## moves, watchers and groupings at a steady rate on two workers and a Redis (N=600 seconds)
	@$(PY) -m bench.soak $(N)

clean: ## remove what can be made again
	rm -rf .venv build .pytest_cache .mypy_cache .ruff_cache .hypothesis bench/out tests/clients/node_modules clients/typescript/node_modules clients/typescript/dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

tests/clients/node_modules: tests/clients/package-lock.json
	-@npm ci --prefix tests/clients --ignore-scripts --no-audit --no-fund --prefer-offline && touch $@

# What the service needs, what builds the guides, and what tests and checks need besides. A stamp is as new as the pins it was made from.
# None names again what another has, or pip would say of each that it is there; every dependency is pinned.
.venv/.run: requirements.txt
	@tools/venv.sh
	@echo "cardref: installing what the service needs (once; about 100 MB)"
	@$(PY) -m pip install --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/.docs: requirements-docs.txt .venv/.run
	@echo "cardref: installing what builds the guides (once; about 20 MB)"
	@$(PY) -m pip install --disable-pip-version-check --no-deps -r requirements-docs.txt
	@touch $@

build/guides/.made-from: .venv/.docs README.md CONTRIBUTING.md CHANGELOG.md $(wildcard docs/*.md docs/*.svg docs/*.png tools/guides/*.py tools/guides/*/*)
	@$(PY) tools/guides/build.py
	@touch $@

.venv/.build: requirements-build.txt .venv/.run
	@echo "cardref: installing what compiles the search (once; about 30 MB)"
	@$(PY) -m pip install --disable-pip-version-check --no-deps -r requirements-build.txt
	@touch $@

# Compiled anew whenever a source has changed; what was made of other sources would not be loaded anyway (engine/compiled.py).
build/compiled/.tried: tools/compile.py requirements-build.txt $(wildcard engine/*.py engine/rummy/*.py solver/*.py) | .venv/.run
	@if ! command -v $${CC:-cc} >/dev/null 2>&1; then echo "cardref: no C compiler here: the search runs as plain Python, two to four times slower"; \
	elif $(MAKE) -s .venv/.build; then $(PY) tools/compile.py; \
	else echo "cardref: what compiles could not be installed: the search runs as plain Python, two to four times slower"; fi
	@mkdir -p $(@D) && touch $@

.venv/.dev: requirements-dev.txt .venv/.docs .venv/.build
	@echo "cardref: installing what tests and checks need (once)"
	@sed '/^-r /d' requirements-dev.txt | $(PY) -m pip install --disable-pip-version-check --no-deps -r /dev/stdin
	@touch $@
