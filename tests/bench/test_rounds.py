"""Every benchmark runs: one tiny round of each. What it says then is worth nothing; that it says something is."""

import math
import re
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest

from bench.__main__ import MODULES, TINY, figures
from bench.figures import Effort, Figure
from bench.phones import CHROMIUM
from companion.devices.satellite.avr_emulator import EmulatorError
from companion.devices.satellite.firmware_build import build
from tests.firmware.tools import give_up

OTHERS = {"chess": "chess", "OpenSpiel": "pyspiel", "RLCard": "rlcard", "adafruit_pn532": "adafruit_pn532"}
"""Other people's engines that figures name, and the modules they come in: only `make bench` installs them."""
PAGE = Path(__file__).parents[2] / "docs" / "performance.md"


def is_comparable(figure: Figure) -> bool:
    there = all(find_spec(module) for name, module in OTHERS.items() if name in figure.name)
    if "phone" in figure.name:
        return bool(CHROMIUM)
    return there and (figure.name != "flushes per action" or which("strace") is not None)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # pigpio's thread
@pytest.mark.parametrize("name", MODULES)
def test_a_tiny_round_of_every_benchmark_gives_its_figures(name: str) -> None:
    if name == "firmware":
        try:
            build()
        except EmulatorError as error:
            give_up(str(error))
    found = list(figures(name, TINY))
    assert found
    for figure in found:
        assert figure.is_measured == is_comparable(figure), figure
        assert math.isnan(figure.ratio) or figure.ratio >= 0.0
        assert figure.name in str(figure)


def test_the_page_about_performance_names_every_benchmark() -> None:
    assert set(re.findall(r"`(?:bench/)?(\w+)\.py`", PAGE.read_text(encoding="utf-8"))) >= set(MODULES)


def test_a_small_effort_is_at_least_one_of_everything() -> None:
    assert [TINY.of(amount) for amount in (1, 15, 10_000)] == [1, 1, 20]
    assert Effort().of(15) == 15


@pytest.mark.parametrize(
    ("ratio", "at_least", "mark"),
    [
        (2.0, True, "kept"),
        (1.0, True, "MISSED"),
        (1.0, False, "kept"),
        (2.0, False, "MISSED"),
        (math.nan, True, "absent"),
    ],
)
def test_a_figure_says_whether_its_bound_is_kept(ratio: float, at_least: bool, mark: str) -> None:
    figure = Figure("this ÷ that", ratio, 1.5, at_least, "how it came about")
    assert str(figure).startswith(mark)
    assert figure.kept == (mark == "kept")
