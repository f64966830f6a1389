# Short names for the scripts; everything real is in scripts/.
SHELL := bash
DEV := set -euo pipefail; source scripts/common.sh; use_dev_venv;

.DEFAULT_GOAL := help
.PHONY: help test lint format types docs-check demo bench neo4j-start neo4j-stop

help: ## show this list
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)$$/\1\t\2/p' Makefile | while IFS=$$'\t' read -r name what; do printf '%-12s %s\n' "$$name" "$$what"; done

test: ## style, types, layers, and all tests on both databases
	scripts/test

lint: ## style and layers
	@$(DEV) check_style; lint-imports

format: ## rewrite the code in the house style
	@$(DEV) ruff check --fix . scripts/neo4j; ruff format . scripts/neo4j

types: ## mypy
	@$(DEV) check_types

docs-check: ## run the examples in docstrings and documents
	@$(DEV) pytest --doctest-glob='*.md' README.md docs graphmine

demo: ## a walk through graphmine in demo-output/
	scripts/demo

bench: ## time pull and push on a real Neo4j
	scripts/bench

neo4j-start: ## start a Neo4j server in .neo4j/
	scripts/neo4j start

neo4j-stop: ## stop it
	scripts/neo4j stop
