"""The netlists in the repository. tests/hardware/test_circuits.py checks that they are made from this source."""

from pathlib import Path

import pytest

from hardware.circuits.netlist import Netlist, from_json
from hardware.proofs.every import Kit

ROOT = Path(__file__).parents[2]
CIRCUITS = ROOT / "hardware" / "circuits" / "made"


@pytest.fixture(scope="session")
def satellite() -> Netlist:
    return from_json(CIRCUITS / "satellite.json")


@pytest.fixture(scope="session")
def pad() -> Netlist:
    return from_json(CIRCUITS / "pad.json")


@pytest.fixture(scope="session")
def kit_one() -> Netlist:
    return from_json(CIRCUITS / "kit-one.json")


@pytest.fixture(scope="session")
def kit(satellite: Netlist, pad: Netlist, kit_one: Netlist) -> Kit:
    return Kit(satellite, pad, kit_one)
