"""The satellite's firmware and the emulator for it, built from the sources beside this package when they are needed."""

import shutil
import subprocess
from pathlib import Path

from msgspec import Struct

from companion.devices.satellite.avr_emulator import EmulatorError

FOLDER = Path(__file__).parents[3] / "firmware"
TOOLS = {"make": "make", "cc": "gcc libc6-dev", "avr-gcc": "gcc-avr avr-libc"}
"""Commands that are needed, and the Debian packages that they come with."""
LIBRARY_PACKAGE = "libsimavr2"


class FirmwareBuild(Struct, frozen=True):
    elf: Path
    emulator: Path
    pins: Path
    """The header with the board's pin map."""


def build(folder: Path = FOLDER) -> FirmwareBuild:
    """Compile what is not there yet, or has changed. Raises EmulatorError that says what is missing."""
    if not (folder / "Makefile").is_file():
        raise EmulatorError("the firmware's sources are not here: emulating it needs a checkout of the whole project")
    missing = [package for tool, package in TOOLS.items() if shutil.which(tool) is None]
    if missing:
        packages = " ".join((*missing, LIBRARY_PACKAGE))
        raise EmulatorError(f"emulating the firmware needs compilers: sudo apt-get install {packages}")
    _make(folder, "the firmware", "its compiler says")
    _make(folder / "emulator", "the emulator", f"it needs {LIBRARY_PACKAGE} (sudo apt-get install {LIBRARY_PACKAGE})")
    build = folder / "build"
    return FirmwareBuild(build / "satellite.elf", build / "libemulator.so", folder / "avr" / "board.h")


def _make(folder: Path, what: str, hint: str) -> None:
    done = subprocess.run(["make", "-C", str(folder)], capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith("make")]
        raise EmulatorError(f"{what} cannot be built; {hint}: {said[0] if said else 'nothing'}")
