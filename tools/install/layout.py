"""What is installed where, once for `make install` and for the Debian package: they differ only in the folders."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

SOURCES = "hardware/pi"
"""The folder in the checkout."""
EXTRAS = "phones,pi,usb,print,hall"
"""What people may add to the wheel: here all of it is installed."""
Role: TypeAlias = Literal["program", "units", "rules", "share"]


class Layout(NamedTuple):
    """The folders of one way to install."""

    program: str
    """The environment with the program and its libraries."""
    units: str
    rules: str
    share: str
    """For the desktop, man pages and completions."""
    command: str


LOCAL = Layout(
    "/opt/companion", "/etc/systemd/system", "/etc/udev/rules.d", "/usr/local/share", "/usr/local/bin/companion"
)
"""`make install`: all that the owner of a computer adds to it."""
DEBIAN = Layout(
    "/usr/lib/companion", "/usr/lib/systemd/system", "/usr/lib/udev/rules.d", "/usr/share", "/usr/bin/companion"
)


class Part(NamedTuple):
    source: str
    role: Role
    under: str
    """The folder below that of its role."""
    what: str
    when: Literal["always", "pi", "screen"] = "always"
    mode: int = 0o644

    def place(self, layout: Layout) -> str:
        return str(Path(getattr(layout, self.role)) / self.under / self.source)

    def text(self, layout: Layout, sources: Path) -> str:
        """As it is written there: the program's folder stands in services and scripts."""
        return (sources / self.source).read_text(encoding="utf-8").replace(LOCAL.program, layout.program)


PARTS = (
    Part("70-companion.rules", "rules", "", "fixed names for satellites and USB readers"),
    Part("70-companion-pi.rules", "rules", "", "reader and pins for those groups", "pi"),
    Part("kiosk", "program", "libexec", "what shows the table on the panel", "screen", 0o755),
    Part("companion@.service", "units", "", "the service that begins with the computer", "screen"),
    Part("companion-phones@.socket", "units", "", "the phones' server, which has no right but to listen", "screen"),
    Part("companion-phones@.service", "units", "", "the phones' server, which has no right but to listen", "screen"),
    Part("companion.desktop", "share", "applications", "the entry in a desktop's menu"),
    Part("companion.svg", "share", "icons/hicolor/scalable/apps", "its icon"),
)


def parts(*, pi: bool = True, screen: bool = True) -> Iterator[Part]:
    """What a computer gets: whether it is a Pi, and whether it shows the table when it starts."""
    wanted = {"always": True, "pi": pi, "screen": screen}
    yield from (part for part in PARTS if wanted[part.when])


def place_of(source: str, layout: Layout = LOCAL) -> str:
    (found,) = (part for part in PARTS if part.source == source)
    return found.place(layout)
