"""Buttons, lamps and buzzer: no way to the pins, a pressed button, a daemon that any computer can reach.

The real pigpio library speaks to a simulated daemon.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.config import GpioSettings, TableSettings, kit_table
from companion.devices.finding import Finding
from companion.devices.gpio import check
from companion.devices.gpio.check import pin_checks
from companion.devices.gpio.simulated_header import GpioHeader
from companion.devices.gpio.simulated_pigpiod import Pigpiod
from companion.troubles import PinsTrouble
from tests.devices.computer import PI_4, PI_5, Computer, found
from tests.devices.test_computer import HEAD, row

GREEN, RED, LAMP, BUZZER = 5, 6, 17, 18
UNUSED_PORT = 1
"""A port at which no daemon can listen."""


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    return Computer(tmp_path)


@pytest.fixture
def daemon() -> Iterator[Pigpiod]:
    with Pigpiod() as daemon:
        yield daemon


def wired(backend: str, port: int = UNUSED_PORT, host: str = "127.0.0.1") -> TableSettings:
    return replace(kit_table("one"), gpio=GpioSettings(backend, host, port))  # type: ignore[arg-type]


def look(table: TableSettings, computer: Computer, lit_s: float = 0.0) -> list[Finding]:
    return found(*pin_checks(table, computer.system, lit_s))


def verdicts(findings: list[Finding]) -> dict[str, str]:
    return {finding.subject: finding.verdict for finding in findings}


# --- Reaching them --------------------------------------------------------------------------------------------


def test_pins_that_can_be_reached_are_ok_each_button_and_lamp_by_its_name(computer: Computer, daemon: Pigpiod) -> None:
    told = look(wired("auto", daemon.port), computer)
    assert verdicts(told) == {
        "pins": "ok",
        "green button of the centre": "ok",
        "red button of the centre": "ok",
        "lamp of the centre": "ok",
        "buzzer": "ok",
    }
    assert told[0].words == "reached through pigpiod"


@pytest.mark.parametrize(("user", "verdict"), [("companion", "check"), ("another program", "problem")])
def test_pins_that_the_start_screen_has_are_no_problem(tmp_path: Path, user: str, verdict: str) -> None:
    """On an installed table the start screen listens to the buttons while a user asks the doctor from elsewhere."""
    header = GpioHeader("pinctrl-rp1")
    header.users[GREEN] = user
    with header.installed():
        (told,) = look(wired("gpiod"), Computer(tmp_path, PI_5))
    assert (told.subject, told.verdict) == ("pins", verdict)
    assert ("systemctl stop companion@$USER" in told.advice) == (user == "companion")


@pytest.mark.parametrize(("model", "label"), [(PI_4, "pinctrl-bcm2711"), (PI_5, "pinctrl-rp1")])
def test_the_pins_are_reached_through_the_kernel(tmp_path: Path, model: str, label: str) -> None:
    with GpioHeader(label).installed():
        told = look(wired("auto"), Computer(tmp_path, model))
    assert told[0].words == "reached through gpiod"
    assert set(verdicts(told).values()) == {"ok"}


def test_pigpio_on_a_pi_5_is_reported_without_asking_it(tmp_path: Path) -> None:
    (finding,) = look(wired("pigpio"), Computer(tmp_path, PI_5))
    assert (finding.verdict, finding.words) == ("problem", "pigpiod cannot run on a Pi 5")
    assert 'backend = "gpiod"' in finding.advice


def test_a_daemon_that_does_not_run_is_told_with_the_command_that_starts_it(computer: Computer) -> None:
    (finding,) = look(wired("pigpio"), computer)
    assert (finding.subject, finding.verdict, finding.words) == ("pins", "problem", "pigpiod is not running")
    assert "systemctl enable --now pigpiod" in finding.advice


def test_a_daemon_that_hangs_is_told(computer: Computer, daemon: Pigpiod, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "ANSWER_S", 0.1)
    daemon.silence()
    (finding,) = look(wired("pigpio", daemon.port), computer)
    assert (finding.verdict, finding.words) == ("problem", "pigpiod does not answer")
    assert "restart" in finding.advice


def test_when_no_way_works_all_reasons_are_told(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "ANSWER_S", 0.1)
    monkeypatch.setitem(sys.modules, "gpiod", None)
    with Pigpiod() as daemon:
        daemon.silence()
        (finding,) = look(wired("auto", daemon.port), computer)
    assert finding.words == f"{PinsTrouble.SILENT}; {PinsTrouble.NO_GPIOD}"
    assert "; or " in finding.advice


def test_pins_that_are_not_ours_are_told(computer: Computer) -> None:
    header = GpioHeader()
    header.forbidden = True
    computer.write("/dev/gpiochip0", forbidden=True)
    with header.installed():
        (finding,) = look(wired("gpiod"), computer)
    assert finding.words == "no permission on /dev/gpiochip0"


def test_a_computer_that_is_no_pi_has_no_pins(tmp_path: Path) -> None:
    (finding,) = look(wired("pigpio"), Computer(tmp_path, ""))
    assert (finding.verdict, finding.words) == ("problem", "pigpiod is not running")
    assert "on the Pi" in finding.advice


def test_where_nothing_hangs_on_the_pins_nothing_is_asked(computer: Computer) -> None:
    assert look(TableSettings(gpio=GpioSettings("pigpio", port=UNUSED_PORT)), computer) == []


# --- What hangs on them ---------------------------------------------------------------------------------------


def test_a_button_that_says_it_is_pressed_is_told_by_its_name(computer: Computer, daemon: Pigpiod) -> None:
    daemon.press(RED)
    told = {finding.subject: finding for finding in look(wired("pigpio", daemon.port), computer)}
    assert told["green button of the centre"].verdict == "ok"
    assert told["red button of the centre"].verdict == "problem"
    assert told["red button of the centre"].words == "GPIO6 reads as pressed"


class Watched(Pigpiod):
    """Notes every level that is written to a pin."""

    WRITE = 4

    def __init__(self) -> None:
        super().__init__()
        self.written: list[tuple[int, int]] = []

    def answer(self, client: Any, command: int, first: int, second: int) -> None:
        if command == self.WRITE:
            self.written.append((first, second))
        super().answer(client, command, first, second)


def test_lamp_and_buzzer_are_on_for_a_moment_one_after_the_other(computer: Computer) -> None:
    with Watched() as daemon:
        look(wired("pigpio", daemon.port), computer)
    lit = daemon.written.index((LAMP, 1))
    assert daemon.written[lit:] == [(LAMP, 1), (LAMP, 0), (BUZZER, 1), (BUZZER, 0)]


# --- Who else reaches them ------------------------------------------------------------------------------------


def test_a_daemon_that_only_this_computer_reaches_is_nothing_to_speak_of(computer: Computer, daemon: Pigpiod) -> None:
    computer.write("/proc/net/tcp", HEAD + row("127.0.0.1", daemon.port) + row("0.0.0.0", 22))
    computer.write("/proc/net/tcp6", HEAD + row("::1", daemon.port))
    assert "pigpiod" not in verdicts(look(wired("auto", daemon.port), computer))


@pytest.mark.parametrize(("file", "address"), [("tcp", "0.0.0.0"), ("tcp6", "::"), ("tcp", "192.168.0.7")])
def test_a_daemon_that_the_network_reaches_is_wrong(computer: Computer, file: str, address: str) -> None:
    computer.write(f"/proc/net/{file}", HEAD + row(address, 8888))
    finding = look(wired("pigpio", 8888), computer)[0]
    assert (finding.subject, finding.verdict) == ("pigpiod", "problem")
    assert address in finding.words
    assert "`-l`" in finding.advice


def test_a_daemon_on_another_computer_has_to_be_checked(computer: Computer) -> None:
    finding = look(wired("pigpio", host="192.0.2.1"), computer)[0]
    assert (finding.subject, finding.verdict) == ("pigpiod", "check")
    assert "passwords" in finding.words
