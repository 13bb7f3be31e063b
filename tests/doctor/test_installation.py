"""What `make install` has done, and what has become of it since."""

from pathlib import Path

import pytest

from companion.doctor.installation import (
    DESKTOP,
    KIOSK,
    PANEL,
    PHONES_UNITS,
    RULES,
    SYSTEMCTL,
    UNIT,
    WANTED,
    installation_checks,
)
from tests.devices.computer import PI_4, PI_5, Computer, found
from tools.install.layout import DEBIAN, LOCAL, PARTS

HARDWARE = Path(__file__).parents[2] / "hardware/pi"


def installed(tmp_path: Path) -> Computer:
    computer = Computer(tmp_path, PI_5)
    computer.write("/etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nVERSION_ID="13"\n')
    for name in (f"{WANTED}/companion@anna.service", *PHONES_UNITS, KIOSK, *PANEL, RULES):
        computer.write(name)
    computer.program(SYSTEMCTL, "Result=success\nNRestarts=0\nActiveState=active")
    computer.program(PANEL[1], "foot version: 1.21.0 -pgo +ime +graphemes -assertions")
    computer.write(UNIT, (HARDWARE / "companion@.service").read_text(encoding="utf-8"))
    return computer


def told(computer: Computer) -> dict[str, tuple[str, str]]:
    findings = found(*installation_checks(computer.system))
    return {finding.subject: (finding.verdict, finding.words) for finding in findings}


def test_a_table_that_begins_by_itself_is_ok(tmp_path: Path) -> None:
    computer = installed(tmp_path)
    computer.write("/dev/companion/number-A10K")
    said = told(computer)
    assert {verdict for verdict, _ in said.values()} == {"ok"}
    assert said["service"][1] == "starts with the computer, for anna, running now"
    assert said["USB names"][1] == "/dev/companion/number-A10K"
    assert said["computer"][1].startswith("Raspberry Pi 5 Model B Rev 1.0, Debian GNU/Linux 13 (trixie), Python 3.")


def test_the_files_of_the_debian_package_are_found_where_it_puts_them(tmp_path: Path) -> None:
    computer = installed(tmp_path)
    for part in PARTS:
        if computer.system.there(part.place(LOCAL)):
            (tmp_path / part.place(LOCAL)[1:]).unlink()
        computer.write(part.place(DEBIAN), (HARDWARE / part.source).read_text(encoding="utf-8"))
    assert {verdict for verdict, _ in told(computer).values()} == {"ok"}


def test_a_service_that_hides_its_picture_is_wrong(tmp_path: Path) -> None:
    computer = installed(tmp_path)
    computer.write(UNIT, "[Service]\nStandardError=journal\n")
    assert told(computer)["service"] == ("problem", "StandardError is redirected, so the screen stays black")


@pytest.mark.parametrize(
    ("state", "verdict", "words"),
    [
        ("Result=success\nNRestarts=0\nActiveState=inactive", "check", "but not running now"),
        ("Result=exit-code\nNRestarts=41\nActiveState=activating", "problem", "(exit-code, started again 41 times)"),
        ("Result=start-limit-hit\nNRestarts=5\nActiveState=failed", "problem", "(start-limit-hit, started again 5"),
        ("System has not been booted with systemd", "ok", "starts with the computer, for anna"),
    ],
)
def test_whether_the_service_runs_now_is_reported(tmp_path: Path, state: str, verdict: str, words: str) -> None:
    computer = installed(tmp_path)
    computer.program(SYSTEMCTL, state)
    said = told(computer)["service"]
    assert said[0] == verdict
    assert words in said[1]


def test_without_a_systemctl_that_answers_nothing_is_made_up(tmp_path: Path) -> None:
    computer = installed(tmp_path)
    (tmp_path / SYSTEMCTL[1:]).write_text("#!/bin/sh\nexit 1\n")
    assert told(computer)["service"] == ("ok", "starts with the computer, for anna")


def test_a_desktop_that_takes_the_panel_is_a_problem(tmp_path: Path) -> None:
    computer = installed(tmp_path)
    computer.link("/usr/lib/systemd/system/default.target", "graphical.target")
    assert told(computer)["screen"][0] == "ok", "nothing graphical is installed"
    computer.link(DESKTOP, "/usr/lib/systemd/system/lightdm.service")
    assert told(computer)["screen"] == ("problem", "a desktop starts with the computer and takes over the panel")
    computer.link("/etc/systemd/system/default.target", "/usr/lib/systemd/system/multi-user.target")
    assert told(computer)["screen"][0] == "ok"


@pytest.mark.parametrize(
    ("version", "touched", "verdict"),
    [
        ("1.13.1", True, "check"),
        ("1.13.1", False, "ok"),
        ("1.15.0", True, "ok"),
        ("2.0", True, "ok"),
        ("?", True, "ok"),
    ],
)
def test_a_panel_that_could_be_touched_needs_a_foot_that_hears_it(
    tmp_path: Path, version: str, touched: bool, verdict: str
) -> None:
    computer = installed(tmp_path)
    computer.program(PANEL[1], f"foot version: {version} +pgo +ime")
    computer.write("/run/udev/data/c13:64", "E:ID_INPUT=1\nE:ID_INPUT_KEYBOARD=1\n")
    if touched:
        computer.write("/run/udev/data/c13:65", "E:ID_INPUT=1\nE:ID_INPUT_TOUCHSCREEN=1\n")
    assert told(computer)["screen"][0] == verdict


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    computer = installed(tmp_path)
    for name in (f"{WANTED}/companion@anna.service", PHONES_UNITS[0], RULES, PANEL[0]):
        (tmp_path / name[1:]).unlink()
    said = told(computer)
    assert said["service"] == ("check", "it does not start with the computer")
    assert said["USB names"] == ("problem", f"there is no {RULES}")
    assert said["phones' server"] == ("check", f"has no service of its own: missing {PHONES_UNITS[0]}")
    assert said["screen"] == ("check", "on the console: there is no /usr/bin/cage")


@pytest.mark.parametrize(
    ("model", "version", "verdict"),
    [
        (PI_4, "12", "ok"),
        (PI_5, "13", "ok"),
        ("Raspberry Pi 3 Model B Plus Rev 1.3\0", "13", "ok"),
        ("Raspberry Pi Zero 2 W Rev 1.0\0", "13", "ok"),
        (PI_4, "11", "check"),
        ("Raspberry Pi Model B Rev 2\0", "12", "check"),
    ],
)
def test_the_pis_and_systems_that_are_known(tmp_path: Path, model: str, version: str, verdict: str) -> None:
    computer = Computer(tmp_path, model)
    computer.write("/etc/os-release", f'PRETTY_NAME="Debian {version}"\nVERSION_ID="{version}"\n')
    assert told(computer)["computer"][0] == verdict


def test_a_computer_that_is_no_pi_and_has_nothing_installed_is_not_spoken_of(tmp_path: Path) -> None:
    assert told(Computer(tmp_path, "")) == {}
