"""`make install`, on computers that are laid out in a folder, and the files that it puts in their places."""

import configparser
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import files
from companion.doctor import installation
from tools.install.__main__ import CHECKOUT, main
from tools.install.layout import EXTRAS, place_of
from tools.install.machine import InstallError, Machine
from tools.install.steps import (
    BACKEND,
    FOR_A_PANEL,
    OF_A_VENV,
    PLACE,
    PRIVATE,
    SERVICES,
    TARGET,
    UNIT,
    USUAL_TARGET,
    spi_on,
    steps,
    undone,
)

FILES = CHECKOUT / "hardware/pi"
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in FILES.iterdir()}
RULES, PI_RULES = place_of("70-companion.rules"), place_of("70-companion-pi.rules")
PHONES_UNITS = tuple(place_of(f"companion-phones@.{kind}") for kind in ("socket", "service"))
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
        "proc/self/mountinfo": "22 1 179:2 / / rw,noatime shared:1 - ext4 /dev/root rw\n",
        "home/anna/.profile": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    begins_with(tmp_path, "graphical.target")
    return tmp_path


def begins_with(root: Path, target: str) -> None:
    """What systemd does when the computer starts."""
    link = root / TARGET[1:]
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(f"/usr/lib/systemd/system/{target}")


def install(root: Path, *words: str) -> int:
    return main(["--root", str(root), "--user", "anna", *words])


def installed(root: Path, user: str = "anna") -> Machine:
    """What has been done to it, and with which commands."""
    machine = Machine(root, user)
    for step in steps(machine, str(CHECKOUT), screen=True):
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
    for name in PHONES_UNITS:
        assert (pi / name[1:]).read_text() == TEXTS[Path(name).name]
    assert (pi / RULES[1:]).read_text() == TEXTS["70-companion.rules"]
    assert os.access(pi / PLACE[1:] / "libexec/kiosk", os.X_OK)
    assert "\ndtparam=spi=on\n" in (pi / "boot/firmware/config.txt").read_text()


def test_the_doctor_looks_for_what_was_installed() -> None:
    """The installer runs before Companion can be imported, so it has names of its own for these."""
    assert installation.PHONES_UNITS == PHONES_UNITS
    assert (installation.UNIT, installation.RULES, installation.WANTED) == (UNIT, RULES, SERVICES)
    assert installation.DEFAULTS == (TARGET, USUAL_TARGET)
    assert files.PRIVATE == PRIVATE


def test_a_table_toml_that_others_can_read_is_kept_from_them(pi: Path) -> None:
    """It may hold the password of the Wi-Fi. What stands in it stays."""
    table = pi / "home/anna/.local/share/companion/table.toml"
    table.parent.mkdir(parents=True)
    table.write_text('[wifi]\nname = "Game night"\npassword = "mammoth"\n')
    table.chmod(0o644)
    install(pi)
    assert table.stat().st_mode & 0o777 == 0o600
    assert "mammoth" in table.read_text()


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
    for step in steps(machine, str(CHECKOUT), screen=True):
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
    assert any(f"{CHECKOUT}[{EXTRAS}]" in words for words in machine.ran)


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
    assert called_pip(machine := installed(pi)) == [f"{CHECKOUT}[{EXTRAS}]"]
    assert any("--no-build-isolation" in words for words in machine.ran)


def test_what_builds_the_program_is_there_before_it_is_built(pi: Path) -> None:
    assert called_pip(installed(pi)) == ["hatchling", f"{CHECKOUT}[{EXTRAS}]", "mfrc522"]


def test_a_library_of_another_version_or_half_installed_is_installed_again(pi: Path) -> None:
    library(pi, "mfrc522", "0.0.6")
    (library(pi, "hatchling", "1.33.0") / "RECORD").unlink()
    assert called_pip(installed(pi)) == ["hatchling", f"{CHECKOUT}[{EXTRAS}]", "mfrc522"]


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


def test_a_computer_that_is_no_pi_keeps_its_desktop_unless_a_user_wants_the_table_there(
    pi: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (pi / "proc/device-tree/model").unlink()
    install(pi)
    assert not (pi / UNIT[1:]).exists()
    assert "its desktop" not in capsys.readouterr().out
    install(pi, "--screen")
    assert (pi / UNIT[1:]).exists()
    assert "without its desktop, which would have the panel" in capsys.readouterr().out


def test_what_the_computer_began_with_is_said_before_and_comes_back_when_the_table_goes(
    pi: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(pi)
    assert "let the computer begin without its desktop" in capsys.readouterr().out.split("→")[0]
    begins_with(pi, "multi-user.target")  # as systemctl has done it
    install(pi)  # an update does not take that for what was before
    machine = Machine(pi, "anna")
    for step in undone(machine):
        step.do()
    assert ("systemctl", "set-default", "graphical.target") in machine.ran
    assert ("systemctl", "start", "getty@tty1.service") in machine.ran


def test_a_panel_belongs_to_one_user_and_uninstalling_stops_whosever_it_is(pi: Path) -> None:
    (pi / SERVICES[1:]).mkdir(parents=True)
    (pi / SERVICES[1:] / "companion@ben.service").symlink_to(UNIT)
    assert ("systemctl", "disable", "--now", "companion@ben.service") in installed(pi).ran
    machine = Machine(pi, "anna")
    for step in undone(machine):
        step.do()
    assert ("systemctl", "disable", "--now", "companion@ben.service") in machine.ran


def test_what_uninstalling_says_last_names_no_command_that_is_gone(
    pi: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(pi)
    capsys.readouterr()
    install(pi, "--uninstall")
    assert "companion doctor" not in capsys.readouterr().out


def test_a_card_that_is_kept_from_being_written_is_refused(pi: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mounts = "22 1 0:20 / / rw,relatime shared:1 - overlay overlay rw,lowerdir=/lower\n"
    (pi / "proc/self/mountinfo").write_text(mounts)
    before = everything(pi)
    assert install(pi) == 1
    assert "Switch the overlay off" in capsys.readouterr().err
    assert everything(pi) == before


def test_plain_debian_on_a_pi_gets_the_groups_that_raspberry_pi_os_has(pi: Path) -> None:
    (pi / "etc/group").write_text("dialout:x:20:\nvideo:x:44:anna\n")
    machine = installed(pi)
    assert {("groupadd", "--system", "spi"), ("groupadd", "--system", "gpio")} <= set(machine.ran)
    assert ("usermod", "-aG", "spi,gpio,dialout", "anna") in machine.ran
    assert (pi / PI_RULES[1:]).read_text() == TEXTS["70-companion-pi.rules"]


def test_a_panel_has_a_graphics_driver_also_where_cage_does_not_bring_it(pi: Path) -> None:
    packages = next(words for words in installed(pi).ran if words[:2] == ("apt-get", "install"))
    assert set(FOR_A_PANEL) <= set(packages)
    assert "libgl1-mesa-dri" in packages


def test_a_reader_behind_pcscd_works_without_another_step(pi: Path) -> None:
    packages = next(words for words in installed(pi).ran if words[:2] == ("apt-get", "install"))
    assert {"pcscd", "libccid", "python3-pyscard"} <= set(packages)


def test_what_is_named_by_a_rule_has_its_name_before_it_is_looked_for(pi: Path) -> None:
    first_words = [words[:2] for words in installed(pi).ran]
    assert first_words.index(("udevadm", "trigger")) < first_words.index(("/usr/local/bin/companion", "config"))


def test_another_command_of_that_name_is_kept(pi: Path) -> None:
    theirs = pi / "usr/local/bin/companion"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("theirs")
    assert [words[0] for words in installed(pi).ran if str(theirs) in words] == ["mv"]


# --- A real venv ----------------------------------------------------------------------------------------------


class Here(Machine):
    """This computer, on which nothing is changed but what its venv asks."""

    def run(self, *words: str, root: bool = True, must: bool = True) -> None:
        self.ran.append(words)


def prepared(place: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What is done to a program's place before anything is installed into it."""
    monkeypatch.setattr("tools.install.steps.PLACE", str(place))
    machine = Here(Path("/"), "root")
    program = next(step for step in steps(machine, str(CHECKOUT), screen=False) if "the program" in step.says)
    program.do()
    return [words for words in machine.ran if words[0] in ("rm", "python3")]


def test_a_venv_that_was_cut_off_or_belongs_to_another_python_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "place"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    removed, made = prepared(place, monkeypatch)
    assert removed == ("rm", "-rf", *(f"{place}/{part}" for part in OF_A_VENV))
    assert made[:3] == ("python3", "-m", "venv")


def test_a_venv_that_works_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path)], check=True)
    packages = next(tmp_path.glob("lib/python3*/site-packages"))
    for written in ("pip/__init__.py", "pip-26.0.dist-info/RECORD"):  # the last one when all is there
        (packages / written).parent.mkdir()
        (packages / written).touch()
    assert prepared(tmp_path, monkeypatch) == []


def test_without_sudo_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(InstallError, match=r"there is no sudo here; run this as root, with --user"):
        Machine(Path("/"), "root").run("true")


def test_uninstalling_takes_its_files_and_leaves_the_evenings(pi: Path) -> None:
    evening = pi / "home/anna/.local/share/companion/evenings/2026-11-17.journal"
    evening.parent.mkdir(parents=True)
    evening.write_text("an evening")
    install(pi)
    install(pi, "--uninstall")
    left = everything(pi)
    assert not any("opt/companion" in name or name in (UNIT[1:], RULES[1:]) for name in left)
    assert not any("companion-phones" in name for name in left)
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


class Kiosk:
    """A computer with these tools, each of which writes down what it was asked, and perhaps with a panel."""

    def __init__(self, place: Path, *tools: str, size: str = "") -> None:
        self.place, self._said = place, place / "said"
        for name in ("companion", "udevadm", "sleep", *tools):
            self.tool(name, f'echo "${{0##*/}}" "$@" >>{self._said}')
        self.tool("systemd-cat", 'shift 2\nexec "$@"')
        self.tool("cage", f'echo cage "$@" >>{self._said}\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"')
        self.tool("foot", f'echo foot "$@" >>{self._said}\nwhile [ "$1" = -o ]; do shift 2; done\nexec "$@"')
        for name in {"cage", "foot"} - set(tools):
            (place / name).unlink()
        self._panel = place / "drm/card1-DSI-1"
        self._panel.mkdir(parents=True)
        (self._panel / "status").write_text("disconnected\n")
        if size:
            self.connect(size)
        script = (
            TEXTS["kiosk"].replace("/sys/class/drm", f"{place}/drm").replace("/etc/default/keyboard", f"{place}/kb")
        )
        self.script = place / "kiosk"
        self.script.write_text(script)
        self.script.chmod(0o755)

    def tool(self, name: str, does: str) -> None:
        (self.place / name).write_text(f"#!/bin/sh\n{does}\n")
        (self.place / name).chmod(0o755)

    def connect(self, size: str) -> None:
        (self._panel / "modes").write_text(f"{size}\n640x480\n")
        (self._panel / "status").write_text("connected\n")

    def shows(self) -> str:
        """What was asked of whom, line by line."""
        environment = {"PATH": f"{self.place}:/bin:/usr/bin", "COMPANION": str(self.place / "companion")}
        done = subprocess.run([self.script], env=environment, capture_output=True, text=True, check=True)
        self.screen = done.stdout
        return self._said.read_text()


TABLE = "companion play --kiosk\n"


def test_on_a_panel_the_table_is_shown_in_a_window_as_large_as_it(tmp_path: Path) -> None:
    said = Kiosk(tmp_path, "cage", "foot", size="1280x800").shows()
    assert "cage -d -s -m last -- foot " in said
    assert said.endswith(TABLE)
    assert said.count(TABLE) == 1


@pytest.mark.parametrize(
    ("size", "columns", "rows"),
    [("800x480", 66, 20), ("1024x600", 66, 20), ("720x1280", 66, 20), ("1280x800", 98, 30), ("1920x1080", 98, 30)],
)
def test_letters_are_as_large_as_the_panel_has_room_for(tmp_path: Path, size: str, columns: int, rows: int) -> None:
    said = Kiosk(tmp_path, "cage", "foot", size=size).shows()
    px = int(re.findall(r"DejaVu Sans Mono:pixelsize=(\d+) ", said)[0])
    width, height = map(int, size.split("x"))
    for larger, has_room in ((0, True), (1, False)):
        across, down = cell_of(px + larger)
        assert (width // across >= columns and height // down >= rows) == has_room


def cell_of(px: int) -> tuple[int, int]:
    """What foot makes of DejaVu Sans Mono, by the font's own measures: 13 by 25 pixels of 21."""
    image_font = pytest.importorskip("PIL.ImageFont", reason="there is no Pillow to measure letters with")
    letters = Path("/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf")
    if not letters.exists():
        pytest.skip("there are no letters to measure (Debian: fonts-dejavu-core)")
    font = image_font.truetype(letters, px)
    return round(font.getlength("M")), sum(font.getmetrics())


def test_a_table_without_keyboard_and_mouse_is_drawn_all_the_same(tmp_path: Path) -> None:
    """A compositor of wlroots ends if it finds neither, unless it is told that this is well."""
    kiosk = Kiosk(tmp_path, "cage", "foot", size="1280x800")
    kiosk.tool("companion", f"env >{tmp_path}/environment")
    (tmp_path / "kb").write_text('XKBMODEL="pc105"\nXKBLAYOUT="de"\nXKBVARIANT=""\n')
    kiosk.shows()
    environment = (tmp_path / "environment").read_text().splitlines()
    assert {"WLR_LIBINPUT_NO_DEVICES=1", "XKB_DEFAULT_LAYOUT=de", "XDG_SESSION_TYPE=wayland"} <= {*environment}


def test_where_nothing_can_be_drawn_on_the_panel_the_console_shows_it(tmp_path: Path) -> None:
    """cage has crashed in a guest without a graphics driver."""
    kiosk = Kiosk(tmp_path, "cage", "foot", size="1280x800")
    kiosk.tool("systemd-cat", "kill -SEGV $$")
    assert kiosk.shows().endswith(f"sleep 2\n{TABLE}")


def test_a_compositor_that_learns_of_the_panel_a_moment_late_draws_on_it(tmp_path: Path) -> None:
    """In a guest the service was there before the panel's driver, and stayed on the console."""
    kiosk = Kiosk(tmp_path, "cage", "foot", size="1280x800")
    kiosk.tool("systemd-cat", f"[ -e {tmp_path}/tried ] && echo drawn && exit\ntouch {tmp_path}/tried\nexit 1")
    assert TABLE not in kiosk.shows()
    assert kiosk.screen == "drawn\n"


def test_a_television_that_wakes_up_late_is_waited_for(tmp_path: Path) -> None:
    kiosk = Kiosk(tmp_path, "cage", "foot")
    panel = f"{tmp_path}/drm/card1-DSI-1"
    kiosk.tool("sleep", f"echo 1920x1080 >{panel}/modes; echo connected >{panel}/status")
    assert "pixelsize=30 " in kiosk.shows()


@pytest.mark.parametrize(("tools", "size"), [(("cage", "foot"), ""), ((), "1280x800")])
def test_where_there_is_no_panel_the_console_shows_it(tmp_path: Path, tools: tuple[str, ...], size: str) -> None:
    said = Kiosk(tmp_path, *tools, size=size).shows()
    assert said.endswith(TABLE)
    assert "cage" not in said


@pytest.mark.parametrize("tools", [("cage", "foot"), ()])
def test_what_went_wrong_stays_on_the_screen_to_be_read(tmp_path: Path, tools: tuple[str, ...]) -> None:
    kiosk = Kiosk(tmp_path, *tools, size="1280x800")
    kiosk.tool("companion", "echo 'companion: table.toml, line 3: unknown key'; exit 2")
    assert kiosk.shows().endswith("sleep 30\n")
    assert "line 3" in kiosk.screen
    assert "begins again in 30 seconds" in kiosk.screen


def test_a_user_whom_this_computer_does_not_know_is_refused_before_anything_is_done(
    capsys: pytest.CaptureFixture[str],
) -> None:
    if not Machine(Path("/"), "anna").has("/usr/bin/apt-get"):
        pytest.skip("there is no apt here, which is said first")
    assert main(["--dry-run", "--user", "no-such-person"]) == 1
    said = capsys.readouterr()
    assert "there is no user no-such-person here" in said.err
    assert not said.out
