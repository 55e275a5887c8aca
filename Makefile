# Box & Circle. The two that matter: `make run` and `make test`.

SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The tests start hundreds of processes: what Python has compiled is kept for the next one, also where the environment says
# no. Else each of them compiles everything again: to collect the tests takes three times as long.
unexport PYTHONDONTWRITEBYTECODE

# What the site needs: with PostgreSQL its driver too. As for the site itself, the environment counts more than the file.
SETTINGS_FILE ?= .env
URL_OF_FILE = $(shell sed -nE "s/^(export )?DATABASE_URL=[\"']?//p" "$(SETTINGS_FILE)" | tail -n 1)
DATABASE := $(or $(DATABASE_URL),$(if $(wildcard $(SETTINGS_FILE)),$(URL_OF_FILE)))
SITE := $(VENV)/$(if $(filter postgres%,$(DATABASE)),site-on-postgres,site)

.DEFAULT_GOAL := run
.PHONY: run test test-all test-postgres test-long bench trust faults check check-types check-style pictures demo-file format lock backup restore demo-remove

## What people use

# Serve the site. Settings: HOST, PORT, DEMO=0 and those in the table of README.md. RELOAD=1: for whoever changes the code.
run: $(SITE)
	@exec $(MANAGE) serve $(if $(RELOAD),--reload)

# Take the demo sheets away, for good.
demo-remove: $(SITE)
	@$(MANAGE) demo --remove

# Copy the database into var/backups, while the site goes on.
backup: $(SITE)
	@$(MANAGE) backup

# Back to a copy: make restore FILE=var/backups/...
restore: $(SITE)
	@test -n "$(FILE)" || { echo "Say which one: make restore FILE=var/backups/..."; ls -1 var/backups 2>/dev/null; exit 2; }
	@$(MANAGE) restore "$(FILE)"

## What developers use

# What a contributor runs before a commit: the rules, the site, and one journey for each page and each risk in a real
# browser. With TESTS only these, whole. The browser's tests come in processes of their own: its server keeps connections
# to the database open, and the races of test_races.py must fork without one. Who sits before a browser or starts a site
# waits much, so more of them fit in.
PYTEST := $(BIN)/pytest -n 2 --dist worksteal
WITH_SITES := $(BIN)/pytest -n 3 --dist worksteal
IN_BROWSERS := $(BIN)/pytest -n 4 --dist load --maxschedchunk 1
# What only reads our files is asked by `make check`.
ABOUT_FILES := tests/test_conventions.py tests/test_layers.py tests/test_look.py tests/test_words_on_screen.py
test: $(VENV)/dev
	@.ci/chromium
ifdef TESTS
	$(PYTEST) $(TESTS)
else
	@echo "Three parts, together about 8 minutes on two idle cores. \`make test-all\` runs every test: about 30."
	@echo "Part 1 of 3: the rules, half a minute."
	@HYPOTHESIS_PROFILE=few $(PYTEST) --quick -q tests/rules
	@echo "Part 2 of 3: the site, 5 minutes."
	@HYPOTHESIS_PROFILE=few $(WITH_SITES) --quick -q --ignore tests/browser --ignore tests/rules $(addprefix --ignore ,$(ABOUT_FILES))
	@echo "Part 3 of 3: the browser, 3 minutes."
	@$(IN_BROWSERS) --quick -q tests/browser
endif

# Every test: with all cases and all pages in both lights; every statement that `make test` sends to the database also on
# PostgreSQL, and a part of it all with every version of Python that is here.
STATEMENTS := .pytest_cache/statements
test-all: $(VENV)/dev
	@.ci/chromium
	@echo "Four parts, together about 30 minutes on two idle cores."
	@echo "Part 1 of 4: everything without a browser, 15 minutes."
	@$(WITH_SITES) -q --statements=$(STATEMENTS) --ignore tests/browser $(addprefix --ignore ,$(ABOUT_FILES))
	@echo "Part 2 of 4: the browser, 11 minutes."
	@$(IN_BROWSERS) -q tests/browser
	@echo "Part 3 of 4: PostgreSQL, 2 minutes."
	@$(MAKE) --no-print-directory test-postgres OPTIONS="--quick --statements=$(STATEMENTS)"
	@echo "Part 4 of 4: one in 16 of the quick tests with each other version of Python, 1 minute."
	@.ci/pythons

# The tests that use the database, on a PostgreSQL cluster that lives only so long. The others only read our files. More
# cases of the same are asked of SQLite: OPTIONS=--quick leaves them out, but for those in which databases differ.
NO_DATABASE := tests/browser tests/rules tests/clubs/test_words.py $(ABOUT_FILES)
test-postgres: $(VENV)/dev
	@.ci/on-postgres $(PYTEST) -q $(OPTIONS) $(addprefix --ignore ,$(NO_DATABASE)) $(TESTS)

# The same laws with far more examples: hours rather than minutes.
test-long: $(VENV)/dev
	@.ci/chromium
	HYPOTHESIS_PROFILE=long $(PYTEST) -m "long or not long" --timeout 3600 --ignore tests/browser
	HYPOTHESIS_PROFILE=long $(PYTEST) -m "long or not long" --timeout 3600 tests/browser

# How fast it is, beside bare Django views; the table goes into README.md. On a quiet machine, in a few minutes.
bench: $(VENV)/dev
	$(BIN)/python -m tests.bench.measure

# Try to lose what was written and to get in where one may not, on both databases; the table goes into README.md. About two
# hours. ROWS="3 6" tries these rows only; the others stay in the table.
trust: $(VENV)/dev
	@.ci/chromium
	@ROWS="$(ROWS)" $(BIN)/python -m tests.trust.measure

# Which of 220 faults in the code `make test` finds, and which all tests find. Hours; it can be stopped and gone on with.
# AGAIN=1 begins anew, after a change of the code.
faults: $(VENV)/dev
	@.ci/chromium
	$(BIN)/python -m tests.faults.measure $(if $(AGAIN),--again)

# Everything that can be said about the code without running it. What is said about types takes as long as all else.
check: $(VENV)/dev
	@$(MAKE) --no-print-directory --jobs 2 check-types check-style

check-types:
	$(BIN)/mypy .

check-style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djlint templates --lint --quiet
	$(BIN)/djlint templates --check --quiet
	$(BIN)/pytest -q $(ABOUT_FILES)
	$(MANAGE) makemigrations --check --dry-run
	@var=$$(mktemp -d) && trap 'rm -rf "$$var"' EXIT && \
	    VAR="$$var" SETTINGS_FILE=/dev/null ADDRESS=https://cards.example.org \
	    $(MANAGE) check --deploy --fail-level WARNING
	@! grep -nE '://|--index-url|--find-links' requirements*.txt || { echo "An address stands in a lock file."; exit 1; }

# The pictures of README.md, from the demo.
pictures: $(VENV)/dev
	@.ci/chromium
	$(BIN)/pytest -q tests/browser/pictures.py

# Play the demo, and write it into the file that a first start loads. After a change of what a played game writes.
demo-file: $(VENV)/dev
	$(BIN)/python -m tests.demo.record

# Lay out code and templates as `make check` wants them.
format: $(VENV)/dev
	$(BIN)/ruff check --fix --quiet . || true
	$(BIN)/ruff format .
	$(BIN)/djlint templates --reformat --quiet || true

# Choose the newest versions that pyproject.toml allows: make lock UPGRADE=--upgrade
COMPILE := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header pyproject.toml
lock: $(VENV)/dev
	$(BIN)/$(COMPILE) $(UPGRADE) --output-file requirements.txt
	$(BIN)/$(COMPILE) $(UPGRADE) --extra postgres --constraint requirements.txt --no-annotate --output-file requirements-postgres.txt
	$(BIN)/$(COMPILE) $(UPGRADE) --extra postgres --extra dev --constraint requirements-postgres.txt --no-annotate --output-file requirements-dev.txt

## What they stand on

# A Python of 3.11 or newer: PYTHON, if it is given, else the first that is found.
$(BIN)/python:
	@for python in $(PYTHON) python3.11 python3.12 python3.13 python3.14 python3; do \
	    if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found="$$python"; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	    echo "Box & Circle needs Python 3.11 or newer; here is $$(python3 --version 2>/dev/null || echo none)."; \
	    echo "On Debian 12, Ubuntu 24.04 or newer: sudo apt install python3 python3-venv"; exit 1; \
	fi; \
	if ! "$$found" -c 'import venv, ensurepip' 2>/dev/null; then \
	    echo "Python is here, but not its module venv, which Debian ships apart: sudo apt install python3-venv"; exit 1; \
	fi; \
	echo "Setting up (once) ..."; "$$found" -m venv --clear $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/site: requirements.txt | $(BIN)/python
	@.ci/install requirements.txt
	@touch $@

$(VENV)/site-on-postgres: requirements-postgres.txt requirements.txt | $(BIN)/python
	@.ci/install requirements-postgres.txt
	@touch $@ $(VENV)/site

$(VENV)/dev: requirements-dev.txt requirements-postgres.txt requirements.txt | $(BIN)/python
	@.ci/install requirements-dev.txt
	@touch $@ $(VENV)/site-on-postgres $(VENV)/site
