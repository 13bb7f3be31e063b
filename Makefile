# make play    play Lascaux against simulated neighbours (sets everything up first)
# make install  a table that begins by itself, on a Pi (ARGS=--dry-run only says how);  make uninstall
# make pi      the libraries for a Raspberry Pi's hardware (`make play` does so itself, on a Pi)
# make usb     the libraries for a reader on USB (PN532, or PC/SC), on any computer
# make drivers the same libraries on any other computer, for the simulated hardware of `companion demo --drivers`
# make test    everything that has to hold;  make fast: what is worth running before every commit
# make check   style, types and storeys;  make coverage: what the tests walk through
# make campaign  faults by the thousand (docs/reliability.md)
# make trixie  the fast tests on Debian 13, the ground of today's Raspberry Pi OS
# make mutants small changes that no test notices (tools/mutants.py; COUNT=… SEED=…)
# make virtual-pi  a guest with a real kernel: install, start screen, doctor (unfinished: docs/acceptance.md)
# make bench   figures;  make pictures: screenshots for the docs;  make release: files that can be published
# make firmware  the satellite's program;  make emulator: its processor, for this machine
# make locale  collect all texts and compile the translations

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet
INPUTS := pyproject.toml constraints.txt


# Tests wait for processes and clocks as much as they reckon: one worker more than there are processors.
WORKERS := $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)

.PHONY: play install uninstall pi usb drivers test fast coverage check campaign mutants trixie virtual-pi release bench pictures locale firmware emulator clean

# Where packages can be installed nothing is skipped in the tests.
export COMPANION_NO_SKIP := $(shell command -v apt-get >/dev/null && echo 1)

# What this computer is, if it is a Raspberry Pi.
MODEL := $(shell cat /proc/device-tree/model 2>/dev/null | tr -d '\000')
IS_PI := $(findstring Raspberry Pi,$(MODEL))

play: .venv/installed $(if $(IS_PI),.venv/pi)
	$(BIN)/companion play

pi: .venv/pi

usb: .venv/usb

# A table that begins by itself. ARGS="--dry-run" only says what would be done; again: an update.
install:
	$(PYTHON) -m tools.install $(ARGS)

uninstall:
	$(PYTHON) -m tools.install --uninstall $(ARGS)

drivers: .venv/tested

test: check .venv/tested
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup

fast: check .venv/tested
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup -m "not slow" --hypothesis-profile=few

# Processes that the tests start are measured, too: [tool.coverage.run] in pyproject.toml.
coverage: .venv/tested
	rm -f .coverage .coverage.*
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup --cov --cov-report=
	$(BIN)/python -m tools.rooms

# Faults by the thousand: hours, not minutes. docs/reliability.md has what came of it.
campaign: .venv/tested
	$(BIN)/python -m tests.campaign

# The fast tests on Debian 13 with its own Python 3.13, in a folder of its own. As root.
trixie: .venv/tested
	$(BIN)/python -m tools.trixie

# Each change runs the tests of its room until one fails: minutes for a change that lives.
COUNT ?= 200
SEED ?= 1
mutants: .venv/tested
	$(BIN)/python -m tools.mutants --count $(COUNT) --seed $(SEED)

# A guest with a real kernel, in which the table is installed and looked at as on a Pi. As root; ten minutes and more.
virtual-pi: .venv/tested
	sh .ci/debian-packages mmdebstrap qemu-system-x86 qemu-utils e2fsprogs
	$(BIN)/python -m tools.virtual_pi

release: .venv/tested
	$(BIN)/python -m tools.release

# Tests are under the type checker, too: it needs what they import.
check: .venv/checked .venv/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/shellcheck .ci/debian-packages .ci/run .ci/simavr-headers hardware/pi/kiosk

bench: .venv/benched
	$(BIN)/python -m bench

pictures: .venv/pictured
	$(BIN)/python docs/pictures.py
	$(BIN)/python docs/phone_pictures.py

# The satellite's program; firmware/README.md says how it gets onto the board.
firmware:
	sh .ci/debian-packages gcc-avr avr-libc avrdude
	$(MAKE) -C firmware

# The satellite's processor: the tests, `companion demo --firmware` and some figures run its firmware on it.
emulator:
	sh .ci/debian-packages gcc libc6-dev gcc-avr avr-libc libsimavr2
	$(MAKE) -C firmware/emulator

locale: .venv/localised
	$(BIN)/python -m tools.catalogues

.venv/bin/python:
	sh .ci/debian-packages python3-venv
	$(PYTHON) -m venv $(if $(IS_PI),--system-site-packages) .venv

.venv/installed: $(INPUTS) | .venv/bin/python
	$(PIP) install -c constraints.txt -e '.[phones]'
	touch $@

# spidev has no wheels. Debian's own is seen by an environment that sees the system's packages; only where there is none
# it is compiled. Of RPi.GPIO mfrc522 wants one pin, which companion/devices/reset_pin.py gives it through gpiod.
.venv/pi: .venv/installed
	sh .ci/debian-packages python3-spidev
	$(PIP) install -c constraints.txt -e '.[pi]'
	$(PIP) install -c constraints.txt --no-deps mfrc522
	$(BIN)/python -c 'import spidev' 2>/dev/null || $(PIP) install -c constraints.txt spidev
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

.venv/tested: .venv/installed
	sh .ci/debian-packages gcc libc6-dev gcc-avr avr-libc libsimavr2  # the satellite's firmware runs in the tests
	sh .ci/debian-packages pcscd vsmartcard-vpcd python3-dev libpcsclite-dev  # and the real pcscd
	sh .ci/debian-packages mmdebstrap debian-archive-keyring  # some tests run on Debian 13, too
	sh .ci/debian-packages chromium fonts-dejavu-core openssl npm  # phones are tested in a real browser
	$(PIP) install -c constraints.txt -e '.[test]'
	$(AXE)
	$(PYSCARD)
	$(PIP) install -c constraints.txt --no-deps mfrc522  # its RPi.GPIO and spidev are simulated in tests
	touch $@

.venv/checked: .venv/installed
	$(PIP) install -c constraints.txt -e '.[check]'
	touch $@

.venv/benched: .venv/installed
	sh .ci/debian-packages strace gcc libc6-dev gcc-avr avr-libc libsimavr2 chromium
	$(PIP) install -c constraints.txt -e '.[bench]'
	$(PIP) install -c constraints.txt --no-deps mfrc522 adafruit-circuitpython-pn532  # compared with, on simulated chips
	touch $@

.venv/pictured: .venv/installed
	sh .ci/debian-packages libcairo2 fonts-dejavu-core chromium
	$(PIP) install -c constraints.txt -e '.[pictures]'
	touch $@

.venv/localised: .venv/installed
	$(PIP) install -c constraints.txt -e '.[locale]'
	touch $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
