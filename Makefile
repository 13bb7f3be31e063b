# make play    play Lascaux against simulated neighbours (sets everything up first)
# make test    everything that has to hold
# make check   style and types;  make bench: figures;  make pictures: screenshots for the docs
# make locale  collect all texts and compile the translations

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet
INPUTS := pyproject.toml constraints.txt

.PHONY: play test check bench pictures locale clean

play: .venv/installed
	$(BIN)/companion play

test: check .venv/tested
	$(BIN)/pytest

check: .venv/checked
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/benched
	$(BIN)/python -m bench

pictures: .venv/pictured
	$(BIN)/python docs/pictures.py

locale: .venv/localised
	$(BIN)/python -m tools.catalogues

.venv/bin/python:
	sh .ci/debian-packages python3-venv
	$(PYTHON) -m venv .venv

.venv/installed: $(INPUTS) | .venv/bin/python
	$(PIP) install -c constraints.txt -e .
	touch $@

.venv/tested: .venv/installed
	$(PIP) install -c constraints.txt -e '.[test]'
	$(PIP) install -c constraints.txt --no-deps mfrc522  # its RPi.GPIO and spidev are simulated in tests
	touch $@

.venv/checked: .venv/installed
	$(PIP) install -c constraints.txt -e '.[check]'
	touch $@

.venv/benched: .venv/installed
	sh .ci/debian-packages strace
	$(PIP) install -c constraints.txt -e '.[bench]'
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
