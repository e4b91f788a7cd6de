# Everything a contributor runs. Each target sets itself up: `make demo` and `make test` work on a fresh clone with
# nothing but Python >= 3.11. No `dot` program is needed: pygraphviz's wheel bundles Graphviz.

# The newest Python that fits; `make PYTHON=/path/to/python3.12 test` chooses another.
PYTHON := $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin

WORKSPACE := examples/mini_tensorflow
TARGET := @swig//:swig
FROM := //tensorflow/tools/pip_package:build_pip_package
PYTEST_ARGS := -n auto
CONFORMANCE_ARGS :=
FUZZ_ARGS := --seconds 60

.DEFAULT_GOAL := help
.PHONY: help dev demo test lint format golden bench fuzz conformance docs web notebooks clean

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dev: $(VENV)/ready  ## .venv with bzlgraph (editable) and every tool of the other targets

$(VENV)/ready: pyproject.toml
	@test -n "$(PYTHON)" || { echo "error: Python >= 3.11 is needed and none was found"; \
	  echo "hint: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "error: $(PYTHON) cannot make a virtual environment"; \
	  echo "hint: on Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@# An editable install is not compiled; where PYTHONDONTWRITEBYTECODE is set each command would compile it anew.
	$(BIN)/python -m compileall -q bzlgraph
	@touch $@

demo: $(VENV)/ready  ## why is swig built? text here, picture in build/  (WORKSPACE=path/to/tensorflow: a real checkout)
	@mkdir -p build
	$(BIN)/bzlgraph -C $(WORKSPACE) why $(TARGET) --from $(FROM)
	@$(BIN)/bzlgraph -q -C $(WORKSPACE) why $(TARGET) --from $(FROM) --output svg > build/why_swig.svg
	@echo "picture: build/why_swig.svg"

test: $(VENV)/ready  ## the tests  (PYTEST_ARGS="-k glob" for some of them)
	$(BIN)/pytest $(PYTEST_ARGS)

lint: $(VENV)/ready  ## format, lint, types, layers, spelling, lengths
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/python tools/check_lengths.py

format: $(VENV)/ready  ## what `make lint` can repair by itself
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

golden: $(VENV)/ready  ## write the golden files of the tests anew; read the diff before you commit it
	UPDATE_GOLDEN=1 $(BIN)/pytest $(PYTEST_ARGS)
	git diff --stat -- tests

bench: $(VENV)/ready  ## times, memory and ratios against real Bazel, where present  (TREE= STUBS= BAZEL= PACKAGES= CORES= ROUNDS= WRITE=)
	$(BIN)/python -m benchmarks

fuzz: $(VENV)/ready  ## random inputs for every reader, random Starlark beside starlark-go  (FUZZ_ARGS="build --seconds 3600 --seed 5")
	$(BIN)/python -m tests.fuzz $(FUZZ_ARGS)
	$(BIN)/python -m tests.fuzz.differential

conformance: $(VENV)/ready  ## the differences to real Bazel; gets Debian's source packages, says what it has to skip  (CONFORMANCE_ARGS="--only abseil")
	$(BIN)/python -m tests.differential --fetch $(CONFORMANCE_ARGS)
	$(BIN)/python -m tests.differential.configured.trees --fetch $(filter --part,$(CONFORMANCE_ARGS))

docs: $(VENV)/ready  ## the help texts, pictures and schemas in docs/ made anew, and the site: build/site, no dead link
	$(BIN)/python tools/make_docs.py
	$(BIN)/python -m tools.json_schemas.write
	$(BIN)/python -m tools.pages.man_page
	$(BIN)/python -m mkdocs build --strict

web:  ## build the scripts of the explorer's page from web/src  (needs node >= 20 and npm)
	cd web && npm ci --no-audit --no-fund && npm run check && npm run build

notebooks: $(VENV)/ready  ## run the notebooks
	$(BIN)/pytest --nbmake notebooks -p no:xdist

clean:  ## forget what was made here
	rm -rf $(VENV) build dist
