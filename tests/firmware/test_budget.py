"""What the firmware takes of its chip, and how its source is built."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.firmware.tools import BUILD, FIRMWARE, need, run

FLASH, RAM = 32_768, 2_048

CORE = sorted((FIRMWARE / "core").glob("*.[ch]"))
AVR = sorted((FIRMWARE / "avr").glob("*.[ch]"))
HOST = sorted((FIRMWARE / "host").glob("*.[ch]"))
SOURCES = CORE + AVR + HOST


def said_by(*words: str | Path) -> str:
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout


def satellite_elf() -> Path:
    """The firmware, built if it is not."""
    need("avr-gcc", "gcc-avr avr-libc")
    run("make", "-C", FIRMWARE)
    return BUILD / "satellite.elf"


# --- The chip -------------------------------------------------------------------------------------------------


def test_it_takes_at_most_half_of_the_flash_and_half_of_the_ram() -> None:
    elf = satellite_elf()
    _, numbers = said_by("avr-size", elf).splitlines()
    text, data, bss, *_ = map(int, numbers.split()[:3])
    assert 4_000 < text + data <= FLASH // 2
    assert 500 < data + bss <= RAM // 2


def test_nothing_is_allocated_while_it_runs() -> None:
    symbols = {line.split()[-1] for line in said_by("avr-nm", satellite_elf()).splitlines()}
    assert "satellite_step" in symbols or "main" in symbols
    assert not symbols & {"malloc", "free", "realloc", "calloc", "alloca"}


def test_the_watchdog_is_off_before_variables_are_set() -> None:
    """It stays on, and quick, after it has struck. The emulator cannot show it: here setting them takes no 16 ms."""
    elf = satellite_elf()
    at = {line.split()[-1]: int(line.split()[0], 16) for line in said_by("avr-nm", elf).splitlines()}
    assert at["__ctors_end"] <= at["watchdog_off"] < at["__do_copy_data"]
    first, last = (
        f"--{end}-address={at[name]}" for end, name in (("start", "watchdog_off"), ("stop", "__do_copy_data"))
    )
    lines = said_by("avr-objdump", "-d", first, last, elf).splitlines()
    forgets, stops = (
        next(index for index, line in enumerate(lines) if what in line) for what in ("out\t0x34", "sts\t0x0060")
    )
    assert forgets < stops, "MCUSR first: until it has forgotten the reset, the watchdog cannot be stopped"


def test_the_hex_file_is_made_of_it() -> None:
    elf = satellite_elf()
    lines = elf.with_suffix(".hex").read_text().split()
    assert all(re.fullmatch(r":[0-9A-F]+", line) for line in lines)
    assert lines[-1] == ":00000001FF"


def test_a_serial_number_can_be_built_in(tmp_path: Path) -> None:
    satellite_elf()
    flash = said_by("make", "-C", FIRMWARE, "-n", "flash", "SERIAL=12648430", "PORT=/dev/ttyUSB7", f"BUILD={tmp_path}")
    assert "-DSATELLITE_SERIAL=12648430UL" in flash
    assert f"avrdude -p atmega328p -c arduino -b 115200 -P /dev/ttyUSB7 -D -U flash:w:{tmp_path}/satellite-" in flash


def test_brown_out_detection_is_set_wherever_it_can_be(tmp_path: Path) -> None:
    satellite_elf()
    flash = said_by("make", "-C", FIRMWARE, "-n", "flash", "PROGRAMMER=usbasp", f"BUILD={tmp_path}")
    assert f"avrdude -p atmega328p -c usbasp -U flash:w:{tmp_path}/satellite.hex:i -U efuse:w:0xFC:m" in flash
    fuses = said_by("make", "-C", FIRMWARE, "-n", "fuses", "PROGRAMMER=usbasp")
    assert "avrdude -p atmega328p -c usbasp -U efuse:w:0xFC:m" in fuses


def test_a_boot_loader_that_cannot_set_fuses_is_not_asked_to() -> None:
    assert "efuse" not in said_by("make", "-C", FIRMWARE, "-n", "flash")
    refused = subprocess.run(["make", "-C", FIRMWARE, "-n", "fuses"], check=False, capture_output=True, text=True)
    assert refused.returncode == 2
    assert "make fuses PROGRAMMER=usbasp" in refused.stderr


@pytest.mark.parametrize("serial", ["0", "0123", "4294967295", "99999999999", "-1", "0x10", "seven", "1 2"])
def test_a_serial_number_that_would_be_another_one_is_refused(serial: str) -> None:
    words = ["make", "-C", str(FIRMWARE), "-n", "flash", f"SERIAL={serial}"]
    refused = subprocess.run(words, check=False, capture_output=True, text=True)
    assert refused.returncode == 2
    assert "the number of a satellite is 1 to 4294967294" in refused.stderr


# --- The source -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_file_can_be_read_in_one_go(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert len(lines) <= 300
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_same_is_compiled_always(path: Path) -> None:
    """There is no #if but the guard of a header."""
    conditions = re.findall(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else)\b.*", path.read_text(), re.MULTILINE)
    guard = [f"#ifndef {path.stem.upper()}_H"] if path.suffix == ".h" else []
    assert conditions == guard


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.name)
def test_the_core_knows_no_processor(path: Path) -> None:
    included = re.findall(r'#include ([<"].*[>"])', path.read_text())
    own = {f'"{header.name}"' for header in CORE}
    assert set(included) <= own | {"<stdbool.h>", "<stdint.h>", "<string.h>"}


def test_a_module_has_one_prefix(tmp_path: Path) -> None:
    need("cc", "gcc")
    for path in CORE:
        if path.suffix != ".c":
            continue
        made = tmp_path / f"{path.stem}.o"
        subprocess.run(["cc", "-std=gnu11", "-fshort-enums", "-c", "-o", made, path], check=True)
        names = [line.split()[-1] for line in said_by("nm", "--defined-only", "--extern-only", made).splitlines()]
        assert names
        assert [name for name in names if not name.startswith(f"{path.stem}_")] == []
