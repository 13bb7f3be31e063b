# `make` lists the targets. The first run of any of them sets up .venv.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet
INPUTS := pyproject.toml constraints.txt


CORES := $(shell nproc 2>/dev/null || echo 2)
# Slow tests wait for processes and clocks more than they reckon: four workers for each processor, if there is the memory.
WORKERS := $(shell awk -v most=$$((4 * $(CORES))) '/^MemTotal/ { n = int($$2 / 600000); print n < 1 ? 1 : n < most ? n : most }' \
	/proc/meminfo 2>/dev/null || echo $(CORES))

.PHONY: help play voice install uninstall pi usb print drivers test fast coverage check types campaign mutants trixie virtual-pi release bench tournament pictures hardware hardware-mutants board boxes locale site firmware emulator packages clean

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
	@echo "  make drivers     the hardware libraries for 'companion demo --drivers'"
	@echo
	@echo "Proof"
	@echo "  make check       style, types and import rules"
	@echo "  make coverage    the tests, and which lines they enter"
	@echo "  make mutants     small changes that no test notices (COUNT, SEED, AREA)"
	@echo "  make hardware-mutants  faults in circuits, boards, cables and boxes that no check notices (COUNT, SEED)"
	@echo "  make campaign    faults by the thousand, for hours (docs/reliability.md)"
	@echo "  make bench       figures with their bounds (docs/performance.md)"
	@echo "  make tournament  how strong simulated players are (docs/players.md; ARGS='lascaux --one solid --games 200')"
	@echo "  make trixie      the quick tests on Debian 13, as root"
	@echo "  make virtual-pi  a guest with a real kernel, used like a Pi, as root (ARGS='--scene doctor')"
	@echo
	@echo "What is made from source"
	@echo "  make locale      collect all texts and compile the translations"
	@echo "  make site        the docs as a site, in build/site/html"
	@echo "  make pictures    screenshots for the docs"
	@echo "  make firmware    the satellite's program; make emulator: its processor, for this machine"
	@echo "  make hardware    circuits, proofs, cables, boxes and boards; make board, make boxes: a part of it"
	@echo "  make release     files that can be published"

# Where packages can be installed nothing is skipped in the tests.
export COMPANION_NO_SKIP := $(shell command -v apt-get >/dev/null && echo 1)

# What this computer is, if it is a Raspberry Pi.
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

# A table that begins by itself. ARGS="--dry-run" only says what would be done; again: an update.
install:
	$(PYTHON) -m tools.install $(ARGS)

uninstall:
	$(PYTHON) -m tools.install --uninstall $(ARGS)

drivers: .venv/tested

# What fails in the crowd is tried once more, alone and in a fresh process: a test that passes only there is a flaw to mend.
test: check .venv/tested
	$(BIN)/pytest -n $(WORKERS) || { \
	    echo "companion: once more, alone, what failed beside other tests" >&2; \
	    $(BIN)/pytest --last-failed --last-failed-no-failures none; }

fast: check .venv/tested
	$(BIN)/pytest -n $(CORES) -m "not slow" --hypothesis-profile=few

# Processes that the tests start are measured, too: [tool.coverage.run] in pyproject.toml.
coverage: .venv/tested
	rm -f .coverage .coverage.*
	-$(BIN)/pytest -n $(WORKERS) --cov --cov-report=  # it is for `make test` to say what fails
	$(BIN)/python -m tools.rooms

# Faults by the thousand: hours, not minutes. docs/reliability.md has what came of it.
campaign: .venv/tested
	$(BIN)/python -m tests.campaign

# The fast tests on Debian 13 with its own Python 3.13, in a folder of its own. As root.
trixie: .venv/tested
	$(BIN)/python -m tools.trixie

# Each change meets the tests that enter its line until one fails. The tests run once before that: ten minutes or so.
COUNT ?= 300
SEED ?= 1
mutants: .venv/tested
	$(BIN)/python -m tools.mutants --count $(COUNT) --seed $(SEED) $(addprefix --area ,$(AREA))

# A guest with a real kernel, in which the table is installed and used as on a Pi: docs/virtual-pi.md. As root.
virtual-pi: .venv/tested
	sh .ci/debian-packages mmdebstrap debian-archive-keyring arch-test qemu-user-static binfmt-support qemu-utils e2fsprogs gcc libc6-dev
	$(BIN)/python -m tools.virtual_pi $(ARGS)

release: .venv/tested
	$(BIN)/python -m tools.release

# Tests are under the type checker, too: it needs what they import.
types: .venv/checked .venv/tested
	$(BIN)/mypy

check: types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/shellcheck $$(grep -rIlE '^#!/(usr/)?bin/(env )?(ba)?sh' --exclude-dir=.venv --exclude-dir=.git .)

bench: .venv/benched
	$(BIN)/python -m bench

# Hours: 1,000 games each, unless ARGS says otherwise.
tournament: .venv/installed
	$(BIN)/python -m tools.tournament $(ARGS)

pictures: .venv/pictured
	$(BIN)/python -m tools.screen_pictures
	$(BIN)/python -m tools.phone_pictures
	$(BIN)/python -m tools.paper_pictures

# The satellite's program; firmware/README.md says how it gets onto the board.
firmware:
	sh .ci/debian-packages gcc-avr avr-libc avrdude
	$(MAKE) -C firmware

# The satellite's processor: the tests, `companion demo --firmware` and some figures run its firmware on it.
emulator:
	sh .ci/debian-packages gcc libc6-dev gcc-avr avr-libc libsimavr2
	$(MAKE) -C firmware/emulator

# All that is made of hardware/: netlists and schematics (with ERC), electrical proofs, cables, perfboards, boxes, then the boards.
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

# Faults as people make them, planted one at a time: the checks of the tests have to notice 95 % of them.
hardware-mutants: .venv/tested
	$(BIN)/python -m hardware.mutants $(if $(filter command line environment,$(origin COUNT)),--count $(COUNT)) --seed $(SEED)

# By KiCad 9 in a Debian 13 of its own. As root; the first time it is fetched, 1.4 GB unpacked.
board: .venv/designed
	sh .ci/debian-packages mmdebstrap debian-archive-keyring
	$(BIN)/python -m hardware.boards

# By OpenSCAD; what comes of it is measured, and gets its stamp only if all is well.
boxes: .venv/boxed
	$(BIN)/python -m hardware.boxes

site: .venv/sited
	$(BIN)/python -m tools.site

locale: .venv/localised
	$(BIN)/python -m tools.catalogues

# A Python that is too old must leave nothing behind that would be taken for an environment the next time.
.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "companion: $(PYTHON) is %d.%d, and 3.11 is the \
	oldest that will do; with a newer one: make PYTHON=python3.12 …" % sys.version_info[:2])'
	sh .ci/debian-packages python3-venv
	$(PYTHON) -m venv $(if $(IS_PI),--system-site-packages) .venv

.venv/installed: $(INPUTS) | .venv/bin/python
	$(PIP) install -c constraints.txt -e '.[phones]'
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

# pyscard is compiled, against pcscd's client library. Where that cannot be, a PN532 works all the same.
PYSCARD := $(PIP) install -c constraints.txt pyscard \
	|| echo "companion: without pyscard no PC/SC reader works; it needs gcc, Python's headers and libpcsclite-dev" >&2

.venv/usb: .venv/installed
	sh .ci/debian-packages pcscd gcc libc6-dev python3-dev libpcsclite-dev
	$(PIP) install -c constraints.txt pyserial ndeflib
	$(PYSCARD)
	touch $@

# What looks through the phones' page for people who use it without eyes or hands. Nothing of it is kept in the sources.
AXE := command -v npm >/dev/null && npm install --silent --no-save --no-package-lock --no-audit --no-fund \
	--prefix .venv/axe axe-core@4.10.3 \
	|| echo "companion: without npm the phones' page is not looked through by axe-core" >&2

# What the tests need of Debian; where `make test` cannot ask for a password: `sudo make packages` first.
packages:
	sh .ci/debian-packages gcc libc6-dev gcc-avr avr-libc libsimavr2  # the satellite's firmware runs in the tests
	sh .ci/debian-packages pcscd vsmartcard-vpcd python3-dev libpcsclite-dev  # and the real pcscd
	sh .ci/debian-packages mmdebstrap debian-archive-keyring  # some tests run on Debian 13, too
	sh .ci/debian-packages espeak-ng  # tests listen to what is said
	sh .ci/debian-packages fonts-dejavu-core  # one reads a picture of the kiosk, letter by letter
	sh .ci/debian-packages ngspice  # the electrical proofs
	sh .ci/debian-packages chromium openssl  # phones are tested in a real browser
	-sh .ci/debian-packages chromium-headless-shell 2>/dev/null  # and faster in one without windows, where there is one
	command -v npm >/dev/null || sh .ci/debian-packages npm  # from elsewhere is well; Debian's own would not go with it

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
	$(PIP) install -c constraints.txt --no-deps mfrc522 adafruit-circuitpython-pn532  # compared with, on simulated chips
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
