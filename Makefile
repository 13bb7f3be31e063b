# `make` lists the targets. The first run of any of them sets up .venv.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet
INPUTS := pyproject.toml constraints.txt


CORES := $(shell nproc 2>/dev/null || echo 2)
# Slow tests mostly wait for processes and clocks: four workers for each processor, if there is enough memory.
WORKERS := $(shell awk -v most=$$((4 * $(CORES))) '/^MemTotal/ { n = int($$2 / 600000); print n < 1 ? 1 : n < most ? n : most }' \
	/proc/meminfo 2>/dev/null || echo $(CORES))

.PHONY: help play voice install uninstall pi usb print drivers test fast coverage check types campaign mutants trixie virtual-pi release deb card fresh-debian bench walks tournament pictures press hardware hardware-mutants board boxes locale site firmware emulator packages clean

.DEFAULT_GOAL := help
help:
	@echo "Companion, a referee for real board-game tables"
	@echo
	@echo "  make play        play Lascaux against simulated neighbours"
	@echo "  make fast        style, types and the quick tests, before every commit"
	@echo "  make test        all tests, before a pull request"
	@echo
	@echo "At a table"
	@echo "  make install     start the table with this Pi (ARGS=--dry-run shows what it would do); make uninstall"
	@echo "  make pi          libraries for a Raspberry Pi's readers and buttons"
	@echo "  make usb         libraries for a reader on USB (PN532, PC/SC)"
	@echo "  make voice       espeak-ng and a player, for announcements"
	@echo "  make print       the library for 'companion print'"
	@echo "  make drivers     the hardware libraries for 'companion play --drivers' and 'demo --drivers'"
	@echo
	@echo "Proof"
	@echo "  make check       style, types and import rules"
	@echo "  make coverage    the tests, and which lines they enter"
	@echo "  make mutants     small changes that no test notices (COUNT, SEED, AREA, ARGS)"
	@echo "  make hardware-mutants  faults in circuits, boards, cables and boxes that no check notices (COUNT, SEED)"
	@echo "  make campaign    faults by the thousand, for hours (docs/reliability.md)"
	@echo "  make bench       figures with their bounds (docs/performance.md)"
	@echo "  make walks       which of our files a tag, a redraw and an enrolled tag enter (docs/architecture.md)"
	@echo "  make tournament  how strong simulated players are (docs/players.md; ARGS='lascaux --one solid --games 200')"
	@echo "  make trixie      the quick tests on Debian 13, as root"
	@echo "  make fresh-debian  each way to install on fresh Debians and Ubuntus without our checkout, as root (docs/install.md)"
	@echo "  make virtual-pi  a virtual machine with a real kernel, used like a Pi, as root (ARGS='--scene doctor')"
	@echo
	@echo "What is made from source"
	@echo "  make locale      collect all texts for the translations"
	@echo "  make site        the docs as a site, in build/site/html"
	@echo "  make pictures    screenshots for the docs; make press: with the logo in one file, for people who write"
	@echo "  make firmware    the satellite's program; make emulator: its processor, for this machine"
	@echo "  make hardware    circuits, proofs, cables, boxes and boards; make board, make boxes: a part of it"
	@echo "  make release     files that can be published; make deb: a Debian package; make card: a Pi that starts as a table"

# If packages can be installed, the tests skip nothing.
export COMPANION_NO_SKIP := $(shell command -v apt-get >/dev/null && echo 1)

# The model of this computer, if it is a Raspberry Pi.
MODEL := $(shell cat /proc/device-tree/model 2>/dev/null | tr -d '\000')
IS_PI := $(findstring Raspberry Pi,$(MODEL))

# espeak-ng and aplay: announcements, off by default (key v).
voice:
	sh .ci/debian-packages espeak-ng alsa-utils

play: .venv/installed $(if $(IS_PI),.venv/pi)
	$(BIN)/companion play

pi: .venv/pi

usb: .venv/usb

print: .venv/printed

# A table that starts with the computer. ARGS="--dry-run" only lists the steps; installing again is an update.
install:
	$(PYTHON) -m tools.install $(ARGS)

uninstall:
	$(PYTHON) -m tools.install --uninstall $(ARGS)

# The real drivers' libraries, and what their parts are simulated with: no browser, no compiler for the satellite.
drivers: .venv/driven

# What fails in the crowd is tried once more, alone and in a fresh process: a test that passes only there is a flaw to mend.
test: check .venv/tested
	$(BIN)/pytest -n $(WORKERS) || { \
	    echo "companion: retrying on their own the tests that failed in parallel" >&2; \
	    $(BIN)/pytest --last-failed --last-failed-no-failures none; }

fast: check .venv/tested
	$(BIN)/pytest -n $(CORES) -m "not slow" --hypothesis-profile=few

# Processes that the tests start are measured, too: see [tool.coverage.run] in pyproject.toml.
coverage: .venv/tested
	rm -f .coverage .coverage.*
	-$(BIN)/pytest -n $(WORKERS) --cov --cov-report=  # `make test` reports failures
	$(BIN)/python -m tools.package_coverage

# Thousands of faults: hours, not minutes. docs/reliability.md has the results.
campaign: .venv/tested
	$(BIN)/python -m tests.campaign

# The fast tests on Debian 13 with its own Python 3.13, in a folder of its own. As root.
trixie: .venv/tested
	$(BIN)/python -m tools.trixie

# Each change is run against the tests that enter its line until one fails. Before, the tests of its area run once: about
# ten minutes in all. ARGS="--results FILE" keeps the verdicts, and continues an interrupted run.
COUNT ?= 300
SEED ?= 1
mutants: .venv/tested
	$(BIN)/python -m tools.mutants --count $(COUNT) --seed $(SEED) $(addprefix --area ,$(AREA)) $(ARGS)

# A virtual machine with a real kernel, in which the table is installed and used as on a Pi: docs/virtual-pi.md. As root.
virtual-pi: .venv/tested
	sh .ci/debian-packages mmdebstrap debian-archive-keyring arch-test qemu-user-static binfmt-support qemu-utils e2fsprogs gcc libc6-dev
	$(BIN)/python -m tools.virtual_pi $(ARGS)

release: .venv/tested
	$(BIN)/python -m tools.release

# A Debian package for Debian 12 and 13 and Ubuntu 24.04 and 26.04, in dist/. ARGS="--architecture arm64" makes one for a Pi on any machine.
deb: .venv/tested
	sh .ci/debian-packages binutils-x86-64-linux-gnu binutils-aarch64-linux-gnu
	$(BIN)/python -m tools.deb $(ARGS)

# What a card with Raspberry Pi OS needs on its boot partition, in dist/card. ARGS="--country DE --wifi 'Game night'"
card: .venv/tested
	sh .ci/debian-packages mmdebstrap debian-archive-keyring binutils-aarch64-linux-gnu mtools openssl
	$(BIN)/python -m tools.card $(ARGS)

# Each way of docs/install.md with the built files alone. As root; the first run downloads two Debians.
fresh-debian: .venv/tested
	sh .ci/debian-packages mmdebstrap debian-archive-keyring lintian binutils-x86-64-linux-gnu
	$(BIN)/python -m tools.fresh_debian $(ARGS)

# Tests are type-checked, too, so mypy needs what they import.
types: .venv/checked .venv/tested
	$(BIN)/mypy

check: types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/shellcheck $$(grep -rIlE '^#!/(usr/)?bin/(env )?(ba)?sh' --exclude="*.py" --exclude-dir=.venv --exclude-dir=.git .)

# Each walk has a bound; the table goes into docs/architecture.md.
walks: .venv/installed
	$(BIN)/python -m tools.walks

# Hours: 1,000 games each, unless ARGS says otherwise.
tournament: .venv/installed
	$(BIN)/python -m tools.tournament $(ARGS)

bench: .venv/benched
	$(BIN)/python -m bench

pictures: .venv/pictured
	$(BIN)/python -m tools.screen_pictures
	$(BIN)/python -m tools.phone_pictures
	$(BIN)/python -m tools.paper_pictures

# The logo, texts and screenshots of docs/press, in dist/.
press: .venv/installed
	$(BIN)/python -m tools.press

# The satellite's program; firmware/README.md says how it gets onto the board.
firmware:
	sh .ci/debian-packages gcc-avr avr-libc avrdude
	$(MAKE) -C firmware

# The satellite's processor: the tests, `companion demo --firmware` and some figures run its firmware on it.
emulator:
	sh .ci/debian-packages gcc libc6-dev gcc-avr avr-libc libsimavr2
	$(MAKE) -C firmware/emulator

# Everything made from hardware/: netlists and schematics (with ERC), electrical proofs, cables, perfboards, boxes, then the boards.
hardware: .venv/designed
	$(BIN)/python -m hardware.circuits
	$(BIN)/python -m hardware.proofs
	$(BIN)/python -m hardware.harness
	$(BIN)/python -m hardware.perfboard
	$(MAKE) boxes
	$(MAKE) board
	$(BIN)/python -m hardware.boards.steps
	$(BIN)/python -m hardware.schematics
	$(BIN)/python -m hardware.pages

# Typical human errors, planted one at a time: the checks have to notice 95 % of them.
hardware-mutants: .venv/tested
	$(BIN)/python -m hardware.mutants $(if $(filter command line environment,$(origin COUNT)),--count $(COUNT)) --seed $(SEED)

# With KiCad 9 in a Debian 13 of its own, as root. The first run downloads it (1.4 GB unpacked).
board: .venv/designed
	sh .ci/debian-packages mmdebstrap debian-archive-keyring
	$(BIN)/python -m hardware.boards

# With OpenSCAD. The result is measured, and gets its stamp only if all checks pass.
boxes: .venv/boxed
	$(BIN)/python -m hardware.boxes

site: .venv/sited
	$(BIN)/python -m tools.site

locale: .venv/localised
	$(BIN)/python -m tools.catalogues

# If Python is too old, leave nothing behind that the next run would take for an environment.
.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "companion: $(PYTHON) is %d.%d, and 3.11 is the \
	oldest that will do; with a newer one: make PYTHON=python3.12 …" % sys.version_info[:2])'
	sh .ci/debian-packages python3-venv
	$(PYTHON) -m venv $(if $(IS_PI),--system-site-packages) .venv

.venv/installed: $(INPUTS) | .venv/bin/python
	$(PIP) install -c constraints.txt -e '.[phones,hall]'
	touch $@

# spidev has no wheels. Debian's own is seen by an environment that sees the system's packages; only where there is none
# it is compiled. Of RPi.GPIO mfrc522 wants one pin, which companion/devices/rc522/reset_pin.py gives it through gpiod.
.venv/pi: .venv/installed
	sh .ci/debian-packages python3-spidev
	$(PIP) install -c constraints.txt -e '.[pi]'
	$(PIP) install -c constraints.txt --no-deps mfrc522
	$(BIN)/python -c 'import spidev' 2>/dev/null || $(PIP) install -c constraints.txt spidev
	touch $@

.venv/printed: .venv/installed
	$(PIP) install -c constraints.txt -e '.[print]'
	touch $@

# pyscard is compiled against pcscd's client library. If that is not possible, a PN532 still works.
PYSCARD := $(PIP) install -c constraints.txt pyscard \
	|| echo "companion: without pyscard no PC/SC reader works; it needs gcc, Python's headers and libpcsclite-dev" >&2

.venv/usb: .venv/installed
	sh .ci/debian-packages pcscd gcc libc6-dev python3-dev libpcsclite-dev
	$(PIP) install -c constraints.txt pyserial ndeflib
	$(PYSCARD)
	touch $@

.venv/driven: .venv/installed
	sh .ci/debian-packages pcscd vsmartcard-vpcd gcc libc6-dev python3-dev libpcsclite-dev
	$(PIP) install -c constraints.txt -e '.[pi]'
	$(PIP) install -c constraints.txt --no-deps mfrc522  # its RPi.GPIO and spidev are simulated
	$(PYSCARD)
	touch $@

# axe-core checks the accessibility of the phones' page. It is not kept in the repository.
AXE := command -v npm >/dev/null && npm install --silent --no-save --no-package-lock --no-audit --no-fund \
	--prefix .venv/axe axe-core@4.10.3 \
	|| echo "companion: without npm the accessibility of the phones' page is not checked (axe-core)" >&2

# Debian packages for the tests. If `make test` cannot ask for a password, run `sudo make packages` first.
packages:
	sh .ci/debian-packages gcc libc6-dev gcc-avr avr-libc libsimavr2  # the satellite's firmware runs in the tests
	sh .ci/debian-packages pcscd vsmartcard-vpcd python3-dev libpcsclite-dev  # and the real pcscd
	sh .ci/debian-packages mmdebstrap debian-archive-keyring  # some tests run on Debian 13, too
	sh .ci/debian-packages espeak-ng  # tests listen to announcements
	sh .ci/debian-packages mtools  # one writes into the image of a card
	sh .ci/debian-packages fonts-dejavu-core  # one reads a picture of the kiosk, letter by letter
	sh .ci/debian-packages ngspice  # the electrical proofs
	sh .ci/debian-packages mosquitto postgresql  # halls: a real broker and a real database
	sh .ci/debian-packages chromium openssl  # phones are tested in a real browser
	-sh .ci/debian-packages chromium-headless-shell 2>/dev/null  # and faster in one without windows, where there is one
	command -v npm >/dev/null || sh .ci/debian-packages npm  # any npm will do; Debian's own conflicts with one from elsewhere

.venv/tested: .venv/installed
	$(MAKE) packages
	$(PIP) install -c constraints.txt -e '.[test]'
	$(AXE)
	$(PYSCARD)
	$(PIP) install -c constraints.txt --no-deps mfrc522  # its RPi.GPIO and spidev are simulated in tests
	$(PIP) install -c constraints.txt skidl  # the circuits; there is no wheel of it
	touch $@

.venv/checked: .venv/installed
	$(PIP) install -c constraints.txt -e '.[check]'
	touch $@

.venv/benched: .venv/installed
	sh .ci/debian-packages espeak-ng strace gcc libc6-dev gcc-avr avr-libc libsimavr2 chromium
	$(PIP) install -c constraints.txt -e '.[bench]'
	$(PIP) install -c constraints.txt --no-deps mfrc522 adafruit-circuitpython-pn532  # for comparison, on simulated chips
	touch $@

.venv/pictured: .venv/installed
	sh .ci/debian-packages libcairo2 fonts-dejavu-core poppler-utils chromium
	$(PIP) install -c constraints.txt -e '.[pictures,print]'
	touch $@

.venv/designed: .venv/installed
	sh .ci/debian-packages ngspice graphviz
	$(PIP) install -c constraints.txt -e '.[hardware]'
	touch $@

.venv/boxed: .venv/installed
	sh .ci/debian-packages openscad
	$(PIP) install -c constraints.txt -e '.[boxes]'
	touch $@

.venv/sited: .venv/installed
	$(PIP) install -c constraints.txt -e '.[site]'
	touch $@

.venv/localised: .venv/installed
	$(PIP) install -c constraints.txt -e '.[locale]'
	touch $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
