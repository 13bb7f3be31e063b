"""The home of a table: room, permission, a clock that is right, and evenings that are being played."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.devices.computer import System
from companion.devices.finding import Finding
from companion.doctor.owner_files import BUILT, home_checks, running
from companion.journal.store import Journal
from tests.devices.computer import Computer, found

NOW = BUILT + timedelta(days=300)


def look(home: Path, now: datetime = NOW, mounted: str = "") -> dict[str, Finding]:
    with tempfile.TemporaryDirectory() as root:
        computer = Computer(Path(root))
        computer.write("/proc/self/mountinfo", mounted)
        return {finding.subject: finding for finding in found(*home_checks(home, now, computer.system))}


def mounted(*points: tuple[object, str]) -> str:
    """As the kernel tells it."""
    lines = ("22 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw\n",)
    lines += tuple(
        f"{at} 22 0:{at} / {point} rw,nosuid shared:7 - {kind} {kind} rw\n"
        for at, (point, kind) in enumerate(points, 30)
    )
    return "".join(lines)


def test_a_home_that_is_not_there_yet_is_ok_if_it_can_be_made(tmp_path: Path) -> None:
    assert look(tmp_path / "deep" / "home")["home"].verdict == "ok"


def test_a_home_that_is_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    assert look(tmp_path / "home")["home"].words == f"{tmp_path}/home is no folder"


def test_a_home_where_the_system_makes_up_the_files_is_reported_as_what_it_is() -> None:
    finding = look(Path("/proc/nope"))["home"]
    assert finding.words == "/proc is a virtual file system and cannot keep files"
    assert finding.advice == "name another home with COMPANION_HOME"


@pytest.mark.parametrize("kind", ["tmpfs", "ramfs", "overlay"])
def test_a_home_that_does_not_outlive_the_power_is_reported(tmp_path: Path, kind: str) -> None:
    finding = look(tmp_path / "home", mounted=mounted((tmp_path, kind)))["home"]
    assert finding.verdict == "problem"
    assert "lost when the power goes off" in finding.words
    assert "COMPANION_HOME" in finding.advice
    assert look(tmp_path / "home", mounted=mounted(("/", kind)))["home"].verdict == "problem"


def test_a_partition_of_its_own_under_an_overlay_is_ok(tmp_path: Path) -> None:
    disk = tmp_path / "my evenings"
    disk.mkdir()
    table = mounted(("/", "overlay"), (f"{tmp_path}/my\\040evenings", "tmpfs"), (f"{tmp_path}/my\\040evenings", "ext4"))
    assert look(disk / "home", mounted=table)["home"].verdict == "ok"
    assert look(tmp_path / "my", mounted=table)["home"].verdict == "problem"


def test_this_very_computer_says_what_its_memory_is() -> None:
    if not Path("/dev/shm").is_mount():
        pytest.skip("no /dev/shm here")
    assert System().file_system(Path("/dev/shm")) == "tmpfs"
    assert System().file_system(Path("/proc/self")) == "proc"


def test_a_home_that_cannot_be_written_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    finding = look(tmp_path)["home"]
    assert finding.verdict == "problem"
    assert finding.words == f"nothing can be written in {tmp_path}"


def test_a_disk_that_is_almost_full_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage: Callable[[object], object] = lambda path: shutil._ntuple_diskusage(10**9, 10**9, 99_000_000)  # noqa: E731
    monkeypatch.setattr(shutil, "disk_usage", usage)
    assert look(tmp_path)["home"].words == f"only 99 MB are free for {tmp_path}/evenings"


def test_a_clock_that_began_again_is_wrong(tmp_path: Path) -> None:
    finding = look(tmp_path, datetime(1970, 1, 1, 12, tzinfo=UTC))["clock"]
    assert finding.verdict == "problem"
    assert "1970" in finding.words
    assert "timedatectl" in finding.advice


def test_a_clock_before_the_newest_evening_has_to_be_checked(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "evenings", date=NOW.date()) as journal:
        journal.append("game", b"{}", "", "", NOW.timestamp())
    os.utime(journal.path, (0, 0))  # the computer's clock lagged behind then, too
    assert look(tmp_path, NOW + timedelta(hours=1))["clock"].verdict == "ok"
    assert look(tmp_path, NOW - timedelta(hours=1))["clock"].verdict == "check"


def test_the_doctor_takes_no_lock_that_a_referee_may_want_at_this_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "evenings").mkdir()
    (tmp_path / "evenings" / "2026-11-16-1.journal").touch()  # of one that crashed
    taken: list[object] = []
    monkeypatch.setattr(fcntl, "flock", lambda *lock: taken.append(lock))
    assert running(tmp_path) == []
    assert taken == []


def test_an_evening_that_is_being_played_is_known_by_its_lock(tmp_path: Path) -> None:
    assert running(tmp_path) == []
    with Journal.create(tmp_path / "evenings", date=NOW.date()) as journal:
        assert running(tmp_path) == [journal.path.name.partition(".")[0]]
    assert running(tmp_path) == []


def test_an_evening_that_cannot_be_read_has_to_be_checked_and_sound_ones_are_not_spoken_of(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "evenings", date=NOW.date()) as journal:
        journal.append("game", b"{}", "", "", NOW.timestamp())
        assert "evenings" not in look(tmp_path)
    assert "evenings" not in look(tmp_path)
    journal.path.write_bytes(b"garbage" * 1000)
    finding = look(tmp_path)["evenings"]
    assert finding.verdict == "check"
    assert finding.words.startswith(f"{journal.path.name}: ")
    assert f"`companion export {journal.path.stem}` says how much" in finding.advice
    assert journal.path.read_bytes() == b"garbage" * 1000


def test_a_table_toml_that_others_can_read_is_reported(tmp_path: Path) -> None:
    """It may hold the password of the Wi-Fi."""
    table = tmp_path / "table.toml"
    table.write_text('[wifi]\nname = "Game night"\npassword = "mammoth"\n')
    table.chmod(0o644)
    finding = look(tmp_path)["table.toml"]
    assert finding.verdict == "check"
    assert f"chmod 600 {table}" in finding.advice
    table.chmod(0o600)
    assert "table.toml" not in look(tmp_path)
