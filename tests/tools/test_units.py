"""The services of a Pi: systemd takes them, rates them, and each has only what it needs."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.processes.phone_server import UNIT

FILES = Path(__file__).parents[2] / "hardware/pi"
TABLE, PHONES, ASKED = "companion@.service", "companion-phones@.service", "companion-phones@.socket"
WORST = 3.0
"""Of ten. What has to stay open for devices and phones, and why, is said in each unit."""


def units(name: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string((FILES / name).read_text(encoding="utf-8"))
    return parser


@pytest.fixture
def analyze() -> str:
    found = shutil.which("systemd-analyze")
    if found is None:
        pytest.skip("there is no systemd-analyze (Debian: systemd)")
    return found


@pytest.mark.parametrize(("name", "most"), [(TABLE, WORST), (PHONES, 1.5)])
def test_systemd_rates_the_service_as_safe(name: str, most: float, analyze: str, tmp_path: Path) -> None:
    shutil.copy(FILES / name, tmp_path)
    said = subprocess.run(
        [analyze, "security", "--offline=true", "--no-pager", str(tmp_path / name)],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    rated = re.search(r"Overall exposure level for \S+: ([\d.]+)", said)
    assert rated is not None, said
    assert float(rated[1]) <= most, said


def test_systemd_takes_all_of_them(analyze: str, tmp_path: Path) -> None:
    """For a user root, whom every computer has; the program need not be there."""
    for name in (TABLE, PHONES, ASKED):
        text = (FILES / name).read_text(encoding="utf-8")
        text = re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.MULTILINE)
        (tmp_path / (name if name == PHONES else name.replace("@", "@root"))).write_text(text)
    files = [str(path) for path in sorted(tmp_path.iterdir())]
    verify = [analyze, "verify", "--man=no", "--recursive-errors=no", *files]
    done = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert [line for line in done.stderr.splitlines() if "companion" in line] == []


@pytest.mark.parametrize("name", [TABLE, PHONES])
def test_no_service_can_gain_rights(name: str) -> None:
    service = units(name)["Service"]
    assert service["NoNewPrivileges"] == "yes"
    assert service["CapabilityBoundingSet"] == ""


def test_the_table_keeps_its_devices_also_those_that_are_plugged_in_later() -> None:
    """A list of devices is made when a service starts. ProtectClock makes one, too."""
    service = units(TABLE)["Service"]
    assert not {"PrivateDevices", "DevicePolicy", "DeviceAllow", "ProtectClock"} & set(service)


def test_the_table_finds_the_phones_server_where_systemd_listens_for_it() -> None:
    socket = units(ASKED)["Socket"]
    assert socket["ListenSequentialPacket"] == f"{UNIT}/%i"
    assert (socket["SocketUser"], socket["SocketMode"], socket["Accept"]) == ("%i", "0600", "yes")
    for when in ("Wants", "After"):
        assert "companion-phones@%i.socket" in units(TABLE)["Unit"][when].split()


def test_the_phones_server_has_no_user_and_sees_no_home() -> None:
    service = units(PHONES)["Service"]
    assert (service["DynamicUser"], service["ProtectHome"], service["ProtectSystem"]) == ("yes", "yes", "strict")
    assert service["StandardInput"] == "socket"
    assert service["ExecStart"].endswith("companion phones --piped")
