"""The netlists, made anew from their source: SKiDL runs in a process of its own, because it changes how Python logs."""

import subprocess
import sys
from pathlib import Path

import pytest

from hardware.circuits.netlist import Netlist, from_json
from hardware.proofs.every import Kit

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything that `python -m hardware.circuits` makes."""
    folder = tmp_path_factory.mktemp("circuits")
    done = subprocess.run(
        [sys.executable, "-m", "hardware.circuits", str(folder)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def satellite(drawn: Path) -> Netlist:
    return from_json(drawn / "satellite.json")


@pytest.fixture(scope="session")
def pad(drawn: Path) -> Netlist:
    return from_json(drawn / "pad.json")


@pytest.fixture(scope="session")
def kit_one(drawn: Path) -> Netlist:
    return from_json(drawn / "kit-one.json")


@pytest.fixture(scope="session")
def kit(satellite: Netlist, pad: Netlist, kit_one: Netlist) -> Kit:
    return Kit(satellite, pad, kit_one)
