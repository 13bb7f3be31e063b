"""What `make install` has put in its place: which computer this is, the service, the rule for USB lines, the screen."""

import platform
import re
from collections.abc import Iterator

from companion.doctor.finding import Check, Finding
from companion.doctor.system import System

UNIT = "/etc/systemd/system/companion@.service"
WANTED = "/etc/systemd/system/multi-user.target.wants"
RULES = "/etc/udev/rules.d/70-companion.rules"
KIOSK = "/opt/companion/libexec/kiosk"
PANEL = ("/usr/bin/cage", "/usr/bin/foot")
AGAIN = "`make install` again, in the folder that you installed from"
OLDEST = 12
"""Bookworm: the first with Python 3.11."""
KNOWN = re.compile(r"Raspberry Pi (3|4|5|Zero 2|Compute Module [345]|500|400)")


def installation_checks(system: System) -> Iterator[Check]:
    """Nothing on a computer that is not a Pi and where nothing was installed."""
    if system.is_pi:
        yield Check("computer", lambda: [_computer(system)])
    if system.there(UNIT):
        yield Check("service", lambda: [_service(system)])
        yield Check("screen", lambda: [_screen(system)])
        yield Check("USB names", lambda: [_rules(system)])


def _computer(system: System) -> Finding:
    name, version = system.release
    words = f"{system.model}, {name}, Python {platform.python_version()}"
    if version and version < OLDEST:
        return Finding.check("computer", f"{words}: older than Bookworm", "write a new card")
    if not KNOWN.search(system.model):
        return Finding.check("computer", f"{words}: nobody has tried this Pi", "a Pi 3, 4, 5 or Zero 2 is known to do")
    return Finding.ok("computer", words)


def _service(system: System) -> Finding:
    """Textual draws on stderr: a service that sends it elsewhere shows a black screen."""
    unit = system.text(UNIT)
    if re.search(r"^StandardError=(?!tty|inherit)", unit, re.MULTILINE):
        return Finding.problem("service", "it keeps its picture from the screen (StandardError)", AGAIN)
    enabled = system.matching(WANTED, "companion@*.service")
    if not enabled:
        return Finding.check(
            "service", "it does not begin with the computer", "`sudo systemctl enable companion@$USER`"
        )
    user = enabled[0].partition("@")[2].removesuffix(".service")
    return Finding.ok("service", f"begins with the computer, for {user}")


def _screen(system: System) -> Finding:
    if not system.there(KIOSK):
        return Finding.problem("screen", f"there is no {KIOSK}", AGAIN)
    missing = [name for name in PANEL if not system.there(name)]
    if missing:
        return Finding.check("screen", f"on the console: there is no {missing[0]}", "`sudo apt install cage foot`")
    return Finding.ok("screen", "on the panel where one is connected, else on the console")


def _rules(system: System) -> Finding:
    if not system.there(RULES):
        return Finding.problem("USB names", f"there is no {RULES}", AGAIN)
    named = system.matching("/dev/companion", "*")
    return Finding.ok("USB names", ", ".join(named) if named else "nothing is plugged in that has a serial line")
