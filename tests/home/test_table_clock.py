"""A clock that is set, one that lags behind, and one that jumps in the middle of an evening."""

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from companion.home.table_clock import TableClock, newest_known

NOV_17 = 1_795_000_000.0
TIMES = st.floats(0, 4e9, allow_nan=False)


class Computer:
    """Its clock says something, and time passes."""

    def __init__(self, says: float) -> None:
        self.says, self.passed, self.right = says, 0.0, False

    def wait(self, seconds: float) -> None:
        self.says += seconds
        self.passed += seconds

    def clock(self, newest: float) -> TableClock:
        return TableClock(newest, says=lambda: self.says, passes=lambda: self.passed, is_right=lambda: self.right)


def test_a_clock_that_is_ahead_of_all_that_is_known_is_believed() -> None:
    assert Computer(NOV_17).clock(NOV_17 - 60).now() == NOV_17


def test_one_that_lags_behind_goes_on_from_the_newest_thing_known() -> None:
    computer = Computer(0.0)
    clock = computer.clock(NOV_17)
    computer.wait(90)
    assert clock.now() == NOV_17 + 90


def test_when_it_jumps_to_the_right_time_that_counts() -> None:
    computer = Computer(0.0)
    clock = computer.clock(NOV_17)
    computer.wait(90)
    computer.says = NOV_17 + 5000
    assert clock.now() == NOV_17 + 5000


def test_a_clock_that_was_set_over_the_network_is_right_though_something_is_newer() -> None:
    """A table that once believed in the year 2038 is healed by a network."""
    computer = Computer(NOV_17)
    clock = computer.clock(NOV_17 + 1e9)
    assert clock.now() > NOV_17 + 9e8
    computer.right = True
    assert clock.now() == NOV_17


@given(TIMES, TIMES, st.lists(st.floats(0, 1e5), max_size=8), st.floats(0, 1e9))
def test_time_never_goes_back_while_the_clock_is_not_set(
    says: float, newest: float, waits: list[float], jump: float
) -> None:
    computer = Computer(says)
    clock = computer.clock(newest)
    told = [clock.now()]
    for wait in waits:
        computer.wait(wait)
        told.append(clock.now())
    computer.says += jump
    told.append(clock.now())
    assert told == sorted(told)
    assert told[0] >= newest


def test_the_newest_file_is_the_newest_thing_known(tmp_path: Path) -> None:
    assert newest_known(tmp_path / "nothing") == newest_known(tmp_path) == 0.0
    for name, at in (("a", NOV_17), ("b", NOV_17 + 5), ("c", NOV_17 - 5)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (at, at))
    assert newest_known(tmp_path) == NOV_17 + 5


def test_a_file_of_a_far_future_is_not_believed(tmp_path: Path) -> None:
    for name, at in (("a", NOV_17), ("b", 9_000_000_000.0)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (at, at))
    assert newest_known(tmp_path) == NOV_17
