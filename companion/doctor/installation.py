"""What `make install` or the Debian package has set up: the computer, the service and whether it runs, the screen and
its touch support, the rule for USB ports."""

import platform
import re
from collections.abc import Iterator

from companion.devices.computer import System
from companion.devices.finding import Check, Finding
from companion.troubles import AGAIN, INSTALLED, PACKAGED

UNIT = "/etc/systemd/system/companion@.service"
PHONES_UNITS = tuple(f"/etc/systemd/system/companion-phones@.{kind}" for kind in ("socket", "service"))
WANTED = "/etc/systemd/system/multi-user.target.wants"
RULES = "/etc/udev/rules.d/70-companion.rules"
KIOSK = "/opt/companion/libexec/kiosk"
PANEL = ("/usr/bin/cage", "/usr/bin/foot")
SYSTEMCTL = "/usr/bin/systemctl"
DESKTOP = "/etc/systemd/system/display-manager.service"
DEFAULTS = ("/etc/systemd/system/default.target", "/usr/lib/systemd/system/default.target")
"""The default boot target: the user's choice, and Debian's."""
INPUTS = "/run/udev/data"
TOUCH = "ID_INPUT_TOUCHSCREEN=1"
"""udev's data on each device (c13:* are inputs), and its mark for a touch screen."""
TOUCHED_SINCE = (1, 15)
"""The first foot with touch support. Bookworm has 1.13, Trixie a newer one."""
OLDEST = 12
"""Bookworm: the first with Python 3.11."""
KNOWN = re.compile(r"Raspberry Pi (3|4|5|Zero 2|Compute Module [345]|500|400)")


PACKAGED_AT = {
    "/etc/systemd/system": "/usr/lib/systemd/system",
    "/etc/udev/rules.d": "/usr/lib/udev/rules.d",
    INSTALLED: PACKAGED,
}
"""The folders of `make install`, and those of the Debian package."""


def _place(system: System, name: str) -> str:
    """Where this file of `make install` is: the Debian package has it in another folder."""
    folder = next(folder for folder in PACKAGED_AT if name.startswith(folder))
    packaged = name.replace(folder, PACKAGED_AT[folder], 1)
    return packaged if system.there(packaged) and not system.there(name) else name


def installation_checks(system: System) -> Iterator[Check]:
    """Nothing on a computer that is not a Pi and where nothing is installed."""
    if system.is_pi:
        yield Check("computer", lambda: [_computer(system)])
    if system.there(_place(system, UNIT)):
        yield Check("service", lambda: [_service(system)])
        yield Check("phones' server", lambda: [_phones(system)])
        yield Check("screen", lambda: [_screen(system)])
        yield Check("USB names", lambda: [_rules(system)])


def _computer(system: System) -> Finding:
    name, version = system.release
    words = f"{system.model}, {name}, Python {platform.python_version()}"
    if version and version < OLDEST:
        return Finding.check("computer", f"{words}: older than Bookworm", "write a new card")
    if not KNOWN.search(system.model):
        return Finding.check("computer", f"{words}: untested model", "meant for: Pi 3, 4, 5 and Zero 2")
    return Finding.ok("computer", words)


def _service(system: System) -> Finding:
    """Textual draws on stderr: a service that redirects it shows a black screen."""
    unit = system.text(_place(system, UNIT))
    if re.search(r"^StandardError=(?!tty|inherit)", unit, re.MULTILINE):
        return Finding.problem("service", "StandardError is redirected, so the screen stays black", AGAIN)
    enabled = system.matching(WANTED, "companion@*.service")
    if not enabled:
        return Finding.check(
            "service", "it does not start with the computer", "`sudo systemctl enable companion@$USER`"
        )
    user = enabled[0].partition("@")[2].removesuffix(".service")
    return _running(f"companion@{user}", f"starts with the computer, for {user}", system)


def _running(unit: str, begins: str, system: System) -> Finding:
    """What systemd says at this moment. The user may have stopped the service so that the doctor can use the
    devices."""
    told = system.says(SYSTEMCTL, "show", f"{unit}.service", "--property=ActiveState,Result,NRestarts")
    now = dict(line.partition("=")[::2] for line in told.splitlines())
    ended = f"({now.get('Result', '')}, started again {now.get('NRestarts', '0')} times)"
    why = f"`journalctl -b -u {unit} -t companion-kiosk` shows why"
    match now.get("ActiveState"):
        case "active" | "reloading":
            return Finding.ok("service", f"{begins}, running now")
        case "activating" | "failed":
            return Finding.problem("service", f"{begins}, but stops at once {ended}", why)
        case "inactive" | "deactivating":
            return Finding.check("service", f"{begins}, but not running now", f"`sudo systemctl start {unit}`")
        case _:
            return Finding.ok("service", begins)


def _phones(system: System) -> Finding:
    """Without its own service it would listen on the network with all rights of this user."""
    missing = [name for name in PHONES_UNITS if not system.there(_place(system, name))]
    if missing:
        return Finding.check("phones' server", f"has no service of its own: missing {missing[0]}", AGAIN)
    return Finding.ok("phones' server", "has its own service, which may only listen")


def _screen(system: System) -> Finding:
    if not system.there(_place(system, KIOSK)):
        return Finding.problem("screen", f"there is no {KIOSK}", AGAIN)
    if _has_desktop(system):
        words = "a desktop starts with the computer and takes over the panel"
        return Finding.problem(
            "screen", words, "`sudo systemctl set-default multi-user.target`, then start the Pi again"
        )
    missing = [name for name in PANEL if not system.there(name)]
    if missing:
        return Finding.check("screen", f"on the console: there is no {missing[0]}", "`sudo apt install cage foot`")
    words = "on the panel where one is connected, else on the console"
    version = _foot(system)
    if _is_touched(system) and (0, 0) < version < TOUCHED_SINCE:
        words += f"; but foot {'.'.join(map(str, version))} has no touch support"
        return Finding.check("screen", words, "write a new card with Trixie; until then use keys, a mouse or buttons")
    return Finding.ok("screen", words)


def _has_desktop(system: System) -> bool:
    """A desktop: Companion would start below it, and both would want the panel."""
    target = next(filter(None, map(system.linked, DEFAULTS)), "")
    return target == "graphical.target" and bool(system.linked(DESKTOP))


def _is_touched(system: System) -> bool:
    return any(TOUCH in system.text(name) for name in system.matching(INPUTS, "c13:*"))


def _foot(system: System) -> tuple[int, int]:
    """The version that it reports; 0, 0 if none."""
    said = re.search(r"(\d+)\.(\d+)", system.says(PANEL[1], "--version"))
    return (int(said[1]), int(said[2])) if said else (0, 0)


def _rules(system: System) -> Finding:
    if not system.there(_place(system, RULES)):
        return Finding.problem("USB names", f"there is no {RULES}", AGAIN)
    named = system.matching("/dev/companion", "*")
    return Finding.ok("USB names", ", ".join(named) if named else "no serial device is plugged in")
