"""Compilers and libraries that not every machine has. Where the packages could be installed nothing is skipped."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIRMWARE = ROOT / "firmware"
BUILD = FIRMWARE / "build"


def need(tool: str, package: str) -> None:
    """Skip this test, or let it fail where nothing may be skipped, unless there is such a command."""
    if shutil.which(tool) is None:
        give_up(f"there is no {tool} (Debian: {package})")


def give_up(why: str) -> None:
    if os.environ.get("COMPANION_NO_SKIP"):
        pytest.fail(why)
    pytest.skip(why)


def run(*words: str | Path) -> None:
    """Run a command; if it fails, what it said is the reason."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.fail(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")


def compiled(source: Path, into: Path) -> Path:
    """A small program for the ATmega328P."""
    need("avr-gcc", "gcc-avr avr-libc")
    elf = into / f"{source.stem}.elf"
    run("avr-gcc", "-mmcu=atmega328p", "-DF_CPU=16000000UL", "-Os", "-Wall", "-Werror", "-o", elf, source)
    return elf


def emulator_library() -> Path:
    """The emulator, built if it is not. Without libsimavr it cannot be."""
    need("cc", "gcc")
    library = BUILD / "libemulator.so"
    made = subprocess.run(["make", "-C", str(FIRMWARE / "emulator")], capture_output=True, text=True, check=False)
    if made.returncode:
        give_up(f"the emulator cannot be built (Debian: libsimavr2): {made.stderr.strip().splitlines()[-1]}")
    return library
