"""`make install`, on computers that are laid out in a folder, and the files that it puts in their places."""

import configparser
import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.install.__main__ import CHECKOUT, main
from tools.install.machine import Machine
from tools.install.steps import BACKEND, PLACE, RULES, UNIT, spi_on, steps, undone

FILES = CHECKOUT / "hardware/pi"
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in FILES.iterdir()}
PI_5 = "Raspberry Pi 5 Model B Rev 1.0\0"
CONFIG = "# For more options\n#dtparam=spi=on\ndtoverlay=vc4-kms-v3d\n[cm5]\ndtoverlay=dwc2\n"


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """A fresh card."""
    for name, text in {
        "proc/device-tree/model": PI_5,
        "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n',
        "etc/group": "dialout:x:20:\nspi:x:989:\ngpio:x:986:\nvideo:x:44:anna\n",
        "boot/firmware/config.txt": CONFIG,
        "usr/bin/apt-get": "",
        "home/anna/.profile": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def install(root: Path, *words: str) -> int:
    return main(["--root", str(root), "--user", "anna", *words])


def installed(root: Path) -> Machine:
    """What has been done to it, and with which commands."""
    machine = Machine(root, "anna")
    for step in steps(machine, str(CHECKOUT), TEXTS, screen=True):
        step.do()
    return machine


def everything(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


# --- The plan -------------------------------------------------------------------------------------------------


def test_it_says_what_it_does_before_it_does_it(pi: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert install(pi) == 0
    said = capsys.readouterr().out
    assert said.startswith("Raspberry Pi 5 Model B Rev 1.0, Debian GNU/Linux 13 (trixie), for anna:\n")
    planned, done = said.split("→", 1)
    for step in ("SPI on", "groups spi, gpio, dialout", RULES, UNIT, PLACE, "table.toml"):
        assert step in planned
        assert step in done


def test_a_dry_run_changes_nothing(pi: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = everything(pi)
    assert install(pi, "--dry-run") == 0
    assert everything(pi) == before
    assert "Nothing was done" in capsys.readouterr().out


def test_it_puts_rule_service_and_kiosk_in_their_places_and_switches_spi_on(pi: Path) -> None:
    install(pi)
    assert (pi / UNIT[1:]).read_text() == TEXTS["companion@.service"]
    assert (pi / RULES[1:]).read_text() == TEXTS["70-companion.rules"]
    assert os.access(pi / PLACE[1:] / "libexec/kiosk", os.X_OK)
    assert "\ndtparam=spi=on\n" in (pi / "boot/firmware/config.txt").read_text()


def test_nothing_is_overwritten_without_a_copy(pi: Path) -> None:
    (pi / "etc/udev/rules.d").mkdir(parents=True)
    (pi / RULES[1:]).write_text("mine")
    install(pi)
    assert [path.read_text() for path in (pi / "etc/udev/rules.d").glob("*.before-companion-*")] == ["mine"]
    assert [path.read_text() for path in (pi / "boot/firmware").glob("*.before-companion-*")] == [CONFIG]


def test_a_second_time_writes_nothing(pi: Path) -> None:
    install(pi)
    before = everything(pi)
    install(pi)
    assert everything(pi) == before


def test_a_table_that_is_there_is_left_alone(pi: Path) -> None:
    mine = pi / "home/anna/.local/share/companion/table.toml"
    mine.parent.mkdir(parents=True)
    mine.write_text("# mine")
    machine = Machine(pi, "anna")
    for step in steps(machine, str(CHECKOUT), TEXTS, screen=True):
        if not step.is_done:
            step.do()
    assert not any("config" in words for words in machine.ran)
    assert mine.read_text() == "# mine"


def test_what_is_wired_is_looked_for_before_the_table_has_it_and_with_the_groups_that_are_new(pi: Path) -> None:
    machine = installed(pi)
    first_words = [words[:2] for words in machine.ran]
    assert first_words.index(("usermod", "-aG")) < first_words.index(("/usr/local/bin/companion", "config"))
    assert first_words.index(("/usr/local/bin/companion", "config")) < first_words.index(("systemctl", "restart"))
    assert machine._as(("companion",), root=False)[-2:] == ("--", "companion")


def test_nothing_is_compiled(pi: Path) -> None:
    machine = installed(pi)
    packages = next(words for words in machine.ran if words[:2] == ("apt-get", "install"))
    assert "python3-spidev" in packages
    assert not {"gcc", "python3-dev", "swig", "build-essential"} & set(packages)
    assert not any("RPi.GPIO" in word or word == "spidev" for words in machine.ran for word in words)


def test_phones_can_join_an_installed_table(pi: Path) -> None:
    machine = installed(pi)
    assert any(f"{CHECKOUT}[pi,phones]" in words for words in machine.ran)


def called_pip(machine: Machine) -> list[str]:
    """What it was asked for last, each time."""
    return [words[-1] for words in machine.ran if words[0].endswith("/pip")]


def library(root: Path, name: str, version: str) -> Path:
    """As pip leaves it behind."""
    place = root / PLACE[1:] / f"lib/python3.13/site-packages/{name}-{version}.dist-info"
    place.mkdir(parents=True)
    (place / "RECORD").touch()
    return place


def test_an_update_calls_pip_once_and_builds_with_what_is_there(pi: Path) -> None:
    library(pi, "hatchling", "1.33.0")
    library(pi, "mfrc522", "0.0.7")
    assert called_pip(machine := installed(pi)) == [f"{CHECKOUT}[pi,phones]"]
    assert any("--no-build-isolation" in words for words in machine.ran)


def test_what_builds_the_program_is_there_before_it_is_built(pi: Path) -> None:
    assert called_pip(installed(pi)) == ["hatchling", f"{CHECKOUT}[pi,phones]", "mfrc522"]


def test_a_library_of_another_version_or_half_installed_is_installed_again(pi: Path) -> None:
    library(pi, "mfrc522", "0.0.6")
    (library(pi, "hatchling", "1.33.0") / "RECORD").unlink()
    assert called_pip(installed(pi)) == ["hatchling", f"{CHECKOUT}[pi,phones]", "mfrc522"]


def test_what_builds_the_program_is_what_pyproject_names() -> None:
    build = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    assert build["requires"] == [BACKEND]


def test_a_computer_that_is_no_pi_gets_no_spi(pi: Path) -> None:
    (pi / "proc/device-tree/model").unlink()
    install(pi)
    assert (pi / "boot/firmware/config.txt").read_text() == CONFIG


def test_without_a_screen_nothing_begins_by_itself(pi: Path) -> None:
    install(pi, "--no-screen")
    assert not (pi / UNIT[1:]).exists()


def test_uninstalling_takes_its_files_and_leaves_the_evenings(pi: Path) -> None:
    evening = pi / "home/anna/.local/share/companion/evenings/2026-11-17.journal"
    evening.parent.mkdir(parents=True)
    evening.write_text("an evening")
    install(pi)
    install(pi, "--uninstall")
    left = everything(pi)
    assert not any("opt/companion" in name or name in (UNIT[1:], RULES[1:]) for name in left)
    assert evening.read_text() == "an evening"
    assert [step for step in undone(Machine(pi, "anna")) if not step.is_done and step.says.startswith("remove")] == []


@pytest.mark.parametrize(("missing", "said"), [("usr/bin/apt-get", "there is no apt here"), ("", "whose table is it?")])
def test_where_it_cannot_be_it_says_why(pi: Path, capsys: pytest.CaptureFixture[str], missing: str, said: str) -> None:
    if missing:
        (pi / missing).unlink()
    assert main(["--root", str(pi), "--user", "anna" if missing else "root"]) == 1
    assert said in capsys.readouterr().err


LINES = ["dtparam=spi=on", "#dtparam=spi=on", "dtparam=spi=off", "dtparam=i2c=on", "[pi4]", "[all]", "dtoverlay=x", ""]


def in_force(config: str) -> list[str]:
    """What a Pi 5 reads."""
    applies, read = True, []
    for line in config.splitlines():
        if line.startswith("["):
            applies = line == "[all]"
        elif applies and line and not line.startswith("#"):
            read.append(line)
    return read


@given(st.lists(st.sampled_from(LINES), max_size=10), st.booleans())
def test_spi_is_on_afterwards_whatever_was_there_and_once_is_enough(lines: list[str], ended: bool) -> None:
    before = "\n".join(lines) + ("\n" if ended else "")
    after = spi_on(before)
    assert [line for line in in_force(after) if "spi" in line] == ["dtparam=spi=on"]
    assert spi_on(after) == after
    others = [line for line in in_force(before) if "spi" not in line]
    assert [line for line in in_force(after) if "spi" not in line] == others


# --- The files ------------------------------------------------------------------------------------------------


def unit() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment]
    parser.read_string(TEXTS["companion@.service"])
    return parser


def test_the_service_leaves_stderr_on_the_screen_because_textual_draws_there() -> None:
    service = unit()["Service"]
    assert {service["StandardOutput"], service["StandardError"]} == {"tty"}
    assert service["TTYPath"] == "/dev/tty1"
    assert service["Restart"] == "always"
    assert service["ExecStart"] == f"{PLACE}/libexec/kiosk"


def test_systemd_takes_the_service(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze (Debian: systemd)")
    text = TEXTS["companion@.service"].replace(f"{PLACE}/libexec/kiosk", "/bin/true")
    (tmp_path / "companion@root.service").write_text(text)
    file = str(tmp_path / "companion@root.service")
    verify = ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", file]
    done = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert [line for line in done.stderr.splitlines() if "companion" in line] == []


SETTLED = "udevadm settle --timeout=30\n"


def kiosk(tmp_path: Path, *tools: str, panel: bool, cat: str = "") -> str:
    """What the kiosk starts, on a computer with these tools."""
    for name in ("companion", "systemd-cat", "udevadm", "sleep", *tools):
        (tmp_path / name).write_text('#!/bin/sh\necho "${0##*/}" "$@"\n' if name != "sleep" else "#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    script = TEXTS["kiosk"]
    if cat:
        (tmp_path / "systemd-cat").write_text(cat)
    if panel:
        (tmp_path / "sys/class/drm/card1-DSI-1").mkdir(parents=True)
        (tmp_path / "sys/class/drm/card1-DSI-1/status").write_text("connected\n")
    script = script.replace("/sys/class/drm", f"{tmp_path}/sys/class/drm")
    environment = {"PATH": f"{tmp_path}:/bin:/usr/bin", "COMPANION": str(tmp_path / "companion")}
    done = subprocess.run(["sh", "-c", script], env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def test_on_a_panel_the_table_is_shown_in_a_window_as_large_as_it(tmp_path: Path) -> None:
    said = kiosk(tmp_path, "cage", "foot", panel=True)
    assert "cage -d -s -- foot " in said
    assert said.rstrip().endswith("companion play --kiosk")


def test_where_nothing_can_be_drawn_on_the_panel_the_console_shows_it(tmp_path: Path) -> None:
    """cage has crashed in a guest without a graphics driver."""
    crashing = "#!/bin/sh\nkill -SEGV $$\n"
    assert kiosk(tmp_path, "cage", "foot", panel=True, cat=crashing) == f"{SETTLED}companion play --kiosk\n"


def test_a_panel_that_comes_a_moment_late_is_drawn_on_all_the_same(tmp_path: Path) -> None:
    """In a guest the service was there before the panel's driver, and stayed on the console."""
    late = f"#!/bin/sh\n[ -e {tmp_path}/tried ] && echo drawn && exit\ntouch {tmp_path}/tried\nexit 1\n"
    assert kiosk(tmp_path, "cage", "foot", panel=True, cat=late) == f"{SETTLED}drawn\n"


@pytest.mark.parametrize(("tools", "panel"), [(("cage", "foot"), False), ((), True)])
def test_where_there_is_no_panel_the_console_shows_it(tmp_path: Path, tools: tuple[str, ...], panel: bool) -> None:
    assert kiosk(tmp_path, *tools, panel=panel).removeprefix(SETTLED) == "companion play --kiosk\n"


def test_a_user_whom_this_computer_does_not_know_is_refused_before_anything_is_done(
    capsys: pytest.CaptureFixture[str],
) -> None:
    if not Machine(Path("/"), "anna").has("/usr/bin/apt-get"):
        pytest.skip("there is no apt here, which is said first")
    assert main(["--dry-run", "--user", "no-such-person"]) == 1
    said = capsys.readouterr()
    assert "nobody is called no-such-person here" in said.err
    assert not said.out
