"""The same examples in every run, however long they take: whether a change is good must not depend on the day.

`pytest --hypothesis-profile=explore` looks for new ones; `make fast` tries a few of the usual ones, and leaves out what
is slow.
"""

from pathlib import PurePath

import pytest
from hypothesis import settings

settings.register_profile("steady", derandomize=True, database=None, deadline=None)
settings.register_profile("explore", print_blob=True, deadline=None)
settings.register_profile("few", derandomize=True, database=None, deadline=None, max_examples=10)
settings.load_profile("steady")

SLOW = (
    "tests/screen/test_*.py",
    "tests/games/*/screen/test_*.py",
    "tests/devices/test_gpio_loss.py",
    "tests/devices/test_satellite.py",
    "tests/devices/test_satellite_ports.py",
    "tests/devices/test_reader.py",
    "tests/devices/test_pn532.py",
    "tests/devices/test_pads_on_a_bad_wire.py",
    "tests/firmware/test_*.py",
    "tests/games/test_contract.py",
    "tests/home/test_looks.py",
    "tests/journal/test_damage.py",
    "tests/journal/test_evening.py",
    "tests/journal/test_export.py",
    "tests/referee/test_secrets.py",
    "tests/services/test_adjudication.py",
    "tests/tools/test_mutants.py",
    "tests/verbs/test_*.py",
    "tests/web/test_browser.py",
    "tests/web/test_door.py",
    "tests/web/test_page.py",
    "tests/web/test_secrets.py",
)
"""Where tests drive an app, a daemon, a chip, the firmware or many journals: each takes its time, together minutes."""

LONG = "test_usb_rig.py"
"""Begun before all others, because it waits for minutes and reckons for seconds."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name != LONG)
    for item in items:
        if any(PurePath(item.path).match(pattern) for pattern in SLOW):
            item.add_marker(pytest.mark.slow)
