"""What `make install` does, step by step: what each would do, whether it is done already, and how it is undone."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from tools.install.machine import Machine

CHECKOUT_FILES = "hardware/pi"
PLACE = "/opt/companion"
BACKEND = "hatchling"
"""As pyproject.toml has it."""
COMMAND = "/usr/local/bin/companion"
UNIT = "/etc/systemd/system/companion@.service"
RULES = "/etc/udev/rules.d/70-companion.rules"
CONFIG_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")
"""Of Bookworm and Trixie; of those before."""
SPI_ON = "dtparam=spi=on"
GROUPS = ("spi", "gpio", "dialout", "video", "render", "input")
ALWAYS = ("python3-venv",)
ON_A_PI = ("python3-spidev",)
FOR_A_PANEL = ("cage", "foot", "fonts-dejavu-core")


class Step(NamedTuple):
    says: str
    """In the words of whoever reads it before it is done."""
    is_done: bool
    do: Callable[[], None]


def steps(machine: Machine, checkout: str, files: dict[str, str], *, screen: bool) -> Iterator[Step]:
    """`files`: what lies in hardware/pi. `screen`: whether the table shows itself when the computer starts."""
    yield _packages(machine, screen=screen)
    if machine.model:
        yield _spi(machine)
    yield _groups(machine)
    yield _program(machine, checkout)
    yield _file(machine, RULES, files["70-companion.rules"], "names that stay for satellites and USB readers")
    if screen:
        yield _file(machine, f"{PLACE}/libexec/kiosk", files["kiosk"], "what shows the table on the panel", 0o755)
        yield _file(machine, UNIT, files["companion@.service"], "the service that begins with the computer")
    yield _table(machine)  # before the table is started, which would have what is to be found
    yield _wake(machine, screen=screen)


def _packages(machine: Machine, *, screen: bool) -> Step:
    wanted = (*ALWAYS, *(ON_A_PI if machine.model or machine.has("/dev/spidev0.0") else ()))
    wanted += FOR_A_PANEL if screen else ()
    missing = [name for name in wanted if not machine.package(name)]
    install = ("apt-get", "install", "-y", "--no-install-recommends", *missing)

    def do() -> None:
        machine.run("apt-get", "update")
        machine.run(*install)

    return Step(f"install Debian packages: {' '.join(missing or wanted)}", not missing, do)


def _spi(machine: Machine) -> Step:
    name = next((name for name in CONFIG_FILES if machine.has(name)), CONFIG_FILES[0])
    before = machine.text(name)
    after = spi_on(before)

    def do() -> None:
        machine.write(name, after)
        if machine.has("/usr/bin/dtparam"):
            machine.run("dtparam", "spi=on")  # for now; the file is for the next start

    return Step(f"switch SPI on, for the reader: {SPI_ON} in {name}", after == before, do)


def spi_on(config: str) -> str:
    """A config.txt with SPI switched on. What stands under a filter like [pi4] is for that Pi, and stays."""
    lines, everybody, done = config.splitlines(), True, False
    for number, line in enumerate(lines):
        if line.startswith("["):
            everybody = line.strip() == "[all]"
        elif everybody and re.fullmatch(r"#?\s*dtparam=spi=\w+\s*", line):
            lines[number], done = ("" if done else SPI_ON), True
    if not done:
        lines += ["", "[all]", SPI_ON]
    return config if lines == config.splitlines() else "\n".join((*lines, ""))


def _groups(machine: Machine) -> Step:
    there = machine.groups()
    wanted = [name for name in GROUPS if name in there]
    missing = [name for name in wanted if not there[name]]

    def do() -> None:
        machine.run("usermod", "-aG", ",".join(missing), machine.user)

    return Step(f"let {machine.user} use what is wired: groups {', '.join(missing or wanted)}", not missing, do)


def _program(machine: Machine, checkout: str) -> Step:
    """Never done: that is what an update is. Nothing is compiled: wheels, and Debian's own spidev. What builds the
    program stays there, or pip would install it anew for every update: that and each start of pip are dear on a small
    Pi."""
    constraints = Path(checkout) / "constraints.txt"
    pip = (f"{PLACE}/bin/pip", "--disable-pip-version-check", "--quiet", "install", "-c", str(constraints))

    def do() -> None:
        if not machine.has(f"{PLACE}/bin/python"):
            machine.run("python3", "-m", "venv", "--system-site-packages", PLACE)
        if not _is_there(machine, BACKEND, "*"):
            machine.run(*pip, BACKEND)
        machine.run(*pip, "--no-build-isolation", f"{checkout}[pi,phones]")  # from a folder: built, whatever is there
        if not _is_there(machine, "mfrc522", _version("mfrc522", constraints)):
            machine.run(*pip, "--no-deps", "mfrc522")
        machine.run("ln", "-sfn", f"{PLACE}/bin/companion", COMMAND)

    return Step(f"install the program into {PLACE}, and the command `companion`", False, do)


def _is_there(machine: Machine, library: str, version: str) -> bool:
    """Whether it is in the program's place, and whole: RECORD is what pip writes last."""
    packages = f"lib/python3*/site-packages/{library}-{version}.dist-info/RECORD"
    return any(machine.path(PLACE).glob(packages))


def _version(library: str, constraints: Path) -> str:
    found = re.search(rf"^{library}==(\S+)", constraints.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else "*"


def _file(machine: Machine, name: str, text: str, what: str, mode: int = 0o644) -> Step:
    return Step(f"write {name}: {what}", machine.text(name) == text, lambda: machine.write(name, text, mode))


def _wake(machine: Machine, *, screen: bool) -> Step:
    unit = f"companion@{machine.user}.service"

    def do() -> None:
        machine.run("udevadm", "control", "--reload")
        machine.run("udevadm", "trigger", "--subsystem-match=tty", "--sysname-match=tty[AU]*")  # serial ones
        if screen:
            machine.run("systemctl", "--no-reload", "set-default", "multi-user.target")
            machine.run("systemctl", "--no-reload", "enable", unit)
            machine.run("systemctl", "daemon-reload")  # once for all
            machine.run("systemctl", "restart", unit)

    return Step(f"start {unit}, now and with the computer" if screen else "name what is plugged in", False, do)


def _table(machine: Machine) -> Step:
    """The owner's file is never touched."""
    kept = machine.home() / ".local/share/companion/table.toml"

    def do() -> None:
        machine.run(COMMAND, "config", "--found", root=False)

    return Step(f"write {kept}, from what is found", kept.exists(), do)


def undone(machine: Machine) -> Iterator[Step]:
    """What `make uninstall` does. Packages, groups and SPI stay: others may use them. So do the evenings."""
    unit = f"companion@{machine.user}.service"
    if machine.has(UNIT):
        yield Step(f"stop {unit}", False, lambda: machine.run("systemctl", "disable", "--now", unit))
    for name in (UNIT, RULES, COMMAND, PLACE):
        there = machine.has(name) or machine.path(name).is_symlink()
        yield Step(f"remove {name}", not there, lambda name=name: machine.remove(name))  # type: ignore[misc]
    yield Step("forget them", False, lambda: machine.run("systemctl", "daemon-reload"))
