# make play    play Lascaux against simulated neighbours (sets everything up first)
# make pi      the libraries for a Raspberry Pi's hardware (`make play` does so itself, on a Pi)
# make drivers the same libraries on any other computer, for the simulated hardware of `companion demo --drivers`
# make test    everything that has to hold
# make check   style and types;  make bench: figures;  make pictures: screenshots for the docs
# make firmware  the satellite's program;  make emulator: its processor, for this machine
# make locale  collect all texts and compile the translations

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet
INPUTS := pyproject.toml constraints.txt

.PHONY: play pi drivers test check bench pictures locale firmware emulator clean

# Where packages can be installed nothing is skipped in the tests.
export COMPANION_NO_SKIP := $(shell command -v apt-get >/dev/null && echo 1)

# What this computer is, if it is a Raspberry Pi.
MODEL := $(shell cat /proc/device-tree/model 2>/dev/null | tr -d '\000')

play: .venv/installed $(if $(findstring Raspberry Pi,$(MODEL)),.venv/pi)
	$(BIN)/companion play

pi: .venv/pi

drivers: .venv/tested

test: check .venv/tested
	sh .ci/tests

check: .venv/checked
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/benched
	$(BIN)/python -m bench

pictures: .venv/pictured
	$(BIN)/python docs/pictures.py

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
	$(PYTHON) -m venv .venv

.venv/installed: $(INPUTS) | .venv/bin/python
	$(PIP) install -c constraints.txt -e .
	touch $@

# On a Pi 5 RPi.GPIO does not work; rpi-lgpio is the same module for it.
.venv/pi: .venv/installed
	sh .ci/debian-packages gcc libc6-dev python3-dev  # some of the libraries are compiled
	$(PIP) install -c constraints.txt -e '.[pi]'
	$(if $(findstring Pi 5,$(MODEL))$(findstring Module 5,$(MODEL)),$(PIP) uninstall -y RPi.GPIO && $(PIP) install -e '.[pi5]')
	touch $@

.venv/tested: .venv/installed
	sh .ci/debian-packages gcc libc6-dev gcc-avr avr-libc libsimavr2  # the satellite's firmware runs in the tests
	$(PIP) install -c constraints.txt -e '.[test]'
	$(PIP) install -c constraints.txt --no-deps mfrc522  # its RPi.GPIO and spidev are simulated in tests
	touch $@

.venv/checked: .venv/installed
	$(PIP) install -c constraints.txt -e '.[check]'
	touch $@

.venv/benched: .venv/installed
	sh .ci/debian-packages strace gcc libc6-dev gcc-avr avr-libc libsimavr2
	$(PIP) install -c constraints.txt -e '.[bench]'
	$(PIP) install -c constraints.txt --no-deps mfrc522  # compared with, on a simulated chip
	touch $@

.venv/pictured: .venv/installed
	sh .ci/debian-packages libcairo2 fonts-dejavu-core
	$(PIP) install -c constraints.txt -e '.[pictures]'
	touch $@

.venv/localised: .venv/installed
	$(PIP) install -c constraints.txt -e '.[locale]'
	touch $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
