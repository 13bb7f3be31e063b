"""What `make install` does, step by step: what each would do, whether it is done already, and how it is undone."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from tools.install.layout import EXTRAS, LOCAL, SOURCES, Part, parts, place_of
from tools.install.machine import Machine

PLACE = LOCAL.program
OF_A_VENV = ("bin", "include", "lib", "lib64", "pyvenv.cfg")
"""Other files there stay when it is made again."""
BACKEND = "hatchling"
"""As pyproject.toml has it."""
COMMAND = LOCAL.command
UNIT = place_of("companion@.service")
SERVICES = "/etc/systemd/system/multi-user.target.wants"
TARGET, USUAL_TARGET = "/etc/systemd/system/default.target", "/usr/lib/systemd/system/default.target"
TARGET_BEFORE = f"{PLACE}/libexec/target-before"
"""What the computer began with before the table did."""
CONFIG_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")
"""Of Bookworm and Trixie; of those before."""
SPI_ON = "dtparam=spi=on"
PRIVATE = 0o600
GROUPS = ("spi", "gpio", "dialout", "video", "render", "input")
OF_A_PI = GROUPS[:2]
"""Raspberry Pi OS has them; plain Debian on a Pi has not. Our rule gives them what is wired."""
ALWAYS = ("python3-venv", "pcscd", "libccid", "python3-pyscard")
"""The last three are for readers behind PC/SC: an ACR122U and the like."""
ON_A_PI = ("python3-spidev",)
FOR_A_PANEL = ("cage", "foot", "fonts-dejavu-core", "libgl1-mesa-dri")


class Step(NamedTuple):
    says: str
    """What it will do, in words for the user."""
    is_done: bool
    do: Callable[[], None]


def steps(machine: Machine, checkout: str, *, screen: bool) -> Iterator[Step]:
    """`screen`: whether the table is shown when the computer starts."""
    wanted = list(parts(pi=bool(machine.model), screen=screen))
    yield _packages(machine, screen=screen)
    if machine.model:
        yield _spi(machine)
    yield _groups(machine)
    yield from (_file(machine, part, checkout) for part in wanted if part.role == "rules")
    yield _named(machine)  # before anything is looked for by its name
    yield _program(machine, checkout)
    yield from (_file(machine, part, checkout) for part in wanted if part.role != "rules")
    yield _manual(machine, checkout)
    yield _table(machine)  # before the table is started, which would occupy the devices
    yield _private(machine)
    if screen:
        yield _to_the_table(machine)
        yield _started(machine)
    yield Step("put all of it on the disk", False, machine.sync)


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
        if machine.has("/usr/bin/dtparam"):  # for now, if it can be; the file is for the next start
            machine.run("dtparam", "spi=on", must=False)

    return Step(f"switch SPI on, for the reader: {SPI_ON} in {name}", after == before, do)


def spi_on(config: str) -> str:
    """A config.txt with SPI switched on. Lines under a filter like [pi4] are for that Pi, and stay."""
    lines, for_all, done = config.splitlines(), True, False
    for number, line in enumerate(lines):
        if line.startswith("["):
            for_all = line.strip() == "[all]"
        elif for_all and re.fullmatch(r"#?\s*dtparam=spi=\w+\s*", line):
            lines[number], done = ("" if done else SPI_ON), True
    if not done:
        lines += ["", "[all]", SPI_ON]
    return config if lines == config.splitlines() else "\n".join((*lines, ""))


def _groups(machine: Machine) -> Step:
    there = machine.groups()
    fresh = [name for name in OF_A_PI if machine.model and name not in there]
    wanted = [name for name in GROUPS if name in there or name in fresh]
    missing = [name for name in wanted if not there.get(name)]

    def do() -> None:
        for name in fresh:
            machine.run("groupadd", "--system", name)
        machine.run("usermod", "-aG", ",".join(missing), machine.user)

    return Step(f"let {machine.user} use what is wired: groups {', '.join(missing or wanted)}", not missing, do)


def _program(machine: Machine, checkout: str) -> Step:
    """Never done: that is what an update is. Nothing is compiled: wheels, and Debian's own spidev. What builds the
    program stays there, or pip would install it again for every update: that and each start of pip are dear on a small
    Pi."""
    constraints = Path(checkout) / "constraints.txt"
    wheels = ("--only-binary=:all:", "-c", str(constraints))
    pip = (f"{PLACE}/bin/pip", "--disable-pip-version-check", "--quiet", "install", *wheels)

    def do() -> None:
        has_pip = _is_there(machine, "pip", "*") and machine.works(f"{PLACE}/bin/python", "-c", "import pip")
        if not has_pip:  # none, cut off, or of another Python
            machine.run("rm", "-rf", *(f"{PLACE}/{part}" for part in OF_A_VENV))
            machine.run("python3", "-m", "venv", "--system-site-packages", PLACE)
        if not _is_there(machine, BACKEND, "*"):
            machine.run(*pip, BACKEND)
        machine.run(*pip, "--no-build-isolation", f"{checkout}[{EXTRAS}]")  # from a folder: built, whatever is there
        if not _is_there(machine, "mfrc522", _version("mfrc522", constraints)):
            machine.run(*pip, "--no-deps", "mfrc522")
        machine.link(COMMAND, f"{PLACE}/bin/companion")

    return Step(f"install the program into {PLACE}, and the command `companion`", False, do)


def _is_there(machine: Machine, library: str, version: str) -> bool:
    """Whether it is in the program's place, and whole: RECORD is what pip writes last."""
    packages = f"lib/python3*/site-packages/{library}-{version}.dist-info/RECORD"
    return any(machine.path(PLACE).glob(packages))


def _version(library: str, constraints: Path) -> str:
    found = re.search(rf"^{library}==(\S+)", constraints.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else "*"


def _file(machine: Machine, part: Part, checkout: str) -> Step:
    name, text = part.place(LOCAL), part.text(LOCAL, Path(checkout) / SOURCES)
    return Step(f"write {name}: {part.what}", machine.text(name) == text, lambda: machine.write(name, text, part.mode))


def _manual(machine: Machine, checkout: str) -> Step:
    """The installed program knows its own options."""

    def do() -> None:
        machine.run(f"{PLACE}/bin/python", f"{checkout}/tools/manual.py", LOCAL.share, must=False)

    return Step(f"write man pages and shell completions below {LOCAL.share}", False, do)


def _named(machine: Machine) -> Step:
    def do() -> None:
        machine.run("udevadm", "control", "--reload")
        machine.run("udevadm", "trigger", "--subsystem-match=tty", "--sysname-match=tty[AU]*")  # serial ones
        if machine.model:
            machine.run("udevadm", "trigger", "--subsystem-match=spidev", "--subsystem-match=gpio")
        machine.run("udevadm", "settle", must=False)

    return Step("name what is plugged in", False, do)


def _to_the_table(machine: Machine) -> Step:
    """A desktop would take over the panel. The old default is recorded for `make uninstall`."""
    before = machine.target(TARGET) or machine.target(USUAL_TARGET)

    def do() -> None:
        machine.write(TARGET_BEFORE, f"{before}\n")
        machine.run("systemctl", "--no-reload", "set-default", "multi-user.target")

    what = "without its desktop, which would have the panel" if before == "graphical.target" else "without a desktop"
    return Step(f"let the computer begin {what} (`make uninstall` takes that back)", before == "multi-user.target", do)


def _started(machine: Machine) -> Step:
    unit = _service_of(machine.user)
    others = [name for name in _services(machine) if name != unit]

    def do() -> None:
        for name in others:
            machine.run("systemctl", "disable", "--now", name)
        machine.run("systemctl", "--no-reload", "enable", unit)
        machine.run("systemctl", "daemon-reload")  # once for all
        machine.run("systemctl", "restart", unit)

    instead = f", instead of {' and '.join(others)}" if others else ""
    return Step(f"start {unit}, now and with the computer{instead}", False, do)


def _service_of(user: str) -> str:
    return f"companion@{user}.service"


def _services(machine: Machine) -> list[str]:
    """Those that begin with the computer: one computer has one panel."""
    return sorted(path.name for path in machine.path(SERVICES).glob(_service_of("*")))


def _table(machine: Machine) -> Step:
    """The owner's file is never touched."""
    kept = machine.home() / ".local/share/companion/table.toml"

    def do() -> None:
        machine.run(COMMAND, "config", "--found", root=False)

    return Step(f"write {kept}, from what is found", kept.exists(), do)


def _private(machine: Machine) -> Step:
    """It may hold the password of the Wi-Fi."""
    kept = machine.home() / ".local/share/companion/table.toml"

    def do() -> None:
        if kept.exists():
            kept.chmod(PRIVATE)

    is_done = not kept.exists() or not kept.stat().st_mode & 0o077
    return Step(f"keep {kept} from others: it may hold a password", is_done, do)


def undone(machine: Machine) -> Iterator[Step]:
    """What `make uninstall` does. Packages, groups and SPI stay: others may use them. So do the evenings."""
    before = machine.text(TARGET_BEFORE).strip()
    services = _services(machine) or [_service_of(machine.user)]
    if machine.has(UNIT):
        yield Step(
            f"stop {' and '.join(services)}", False, lambda: machine.run("systemctl", "disable", "--now", *services)
        )
    files = (part.place(LOCAL) for part in parts() if part.role != "program")
    for name in (*files, *_manual_files(machine), COMMAND, PLACE):
        there = machine.has(name) or machine.path(name).is_symlink()
        yield Step(f"remove {name}", not there, lambda name=name: machine.remove(name))  # type: ignore[misc]
    if before:
        begin = ("systemctl", "set-default", before)
        yield Step(f"let the computer begin as before: {before}", False, lambda: machine.run(*begin))
    yield Step("give the console back", False, lambda: _console(machine))


def _manual_files(machine: Machine) -> list[str]:
    """The man pages and completions that are there."""
    share = machine.path(LOCAL.share)
    names = ("man/man1/companion*.1", "*/completions/companion", "zsh/*/_companion", "fish/*/companion.fish")
    return sorted(f"/{path.relative_to(machine.root)}" for name in names for path in share.glob(name))


def _console(machine: Machine) -> None:
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "start", "getty@tty1.service", must=False)
