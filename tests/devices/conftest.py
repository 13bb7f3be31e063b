"""Each test begins without readers of earlier ones."""

import sys

import pytest


@pytest.fixture(autouse=True)
def no_reader_is_open() -> None:
    """Readers that share a reset pin know of each other, also those that an earlier test has left open."""
    transceiver = sys.modules.get("companion.devices.rc522.transceiver")
    if transceiver is not None:  # whoever imports it needs the library of the chip
        transceiver._open.clear()
