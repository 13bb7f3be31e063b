"""What every scene has: the guest, the parts around it, and a record of what was seen."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from tools.trixie import ROOT
from tools.virtual_pi import reading
from tools.virtual_pi.bench import Bench
from tools.virtual_pi.machine import FROM_DISK, USER, Disks, Guest, Start, switched_on
from tools.virtual_pi.workshop import run

PICTURES = ROOT / "docs/pictures/virtual-pi"
PATIENCE_S = 1800.0
"""For whatever takes longest on a busy machine: pip, under emulation."""
SEEN = "seen.ppm"
BLINK_S, STILL_S = 0.04, 2.0
"""By our clock: between two pictures, and how long a panel at rest has not changed."""
LETTERS_PX, CELL = (21.0, 22.0), (13, 25)
"""What the kiosk chooses for a panel of 1280 by 800, and what foot makes of it."""


class Sight(NamedTuple):
    """One thing that was seen, in plain words."""

    words: str
    picture: str = ""
    line: str = ""
    """Of docs/acceptance.md, about which it says something…"""
    short: str = ""
    """…in these words, if there is no room for all of them."""


class Stage:
    def __init__(self, name: str, disks: Disks, bench: Bench) -> None:
        self._name, self.bench, self._disks = name, bench, disks
        self.place = disks.own.parent
        """Where files of this scene are."""
        self.sights: list[Sight] = []
        self._guest: Guest | None = None
        self._read = b"", ""
        """The newest picture, and what it says."""
        self._grid = reading.Grid(LETTERS_PX, *CELL, disks.image / "fonts")

    @property
    def guest(self) -> Guest:
        assert self._guest is not None, "the guest is switched off"
        return self._guest

    @contextmanager
    def on(self, start: Start = FROM_DISK) -> Iterator[Guest]:
        """While this lasts, the guest is on, and wired to the bench."""
        with switched_on(self._disks, start) as guest:
            self._guest = guest
            self.bench.connect(guest)
            try:
                yield guest
            finally:
                self._guest = None

    def has(self, kept: str) -> bool:
        """Whether the guest's disk has something under this name to start from."""
        return has_kept(self._disks.own, kept)

    def saw(self, words: str, picture: str = "", line: str = "", short: str = "") -> None:
        self.sights.append(Sight(words, picture, line, short))
        print(f"{self._name:>9} {words}", flush=True)

    # --- Eyes -------------------------------------------------------------------------------------------------

    def picture(self) -> Path:
        """What the panel shows now."""
        return self.guest.picture(self.place / SEEN)

    def looks(self) -> bytes:
        """The same for the same picture."""
        return self.picture().read_bytes()

    def at_rest(self, within_s: float = 120.0) -> bytes:
        """How the panel looks when it has not changed for a while."""
        began_s = since_s = time.monotonic()
        before = self.looks()
        while time.monotonic() - since_s < STILL_S:
            if time.monotonic() - began_s > within_s:
                raise AssertionError("the panel never comes to rest")
            time.sleep(BLINK_S)
            if (now := self.looks()) != before:
                before, since_s = now, time.monotonic()
        return before

    def text(self) -> str:
        """What can be read on the panel now. The same picture is not read twice."""
        picture = self.picture()
        if (looks := picture.read_bytes()) != self._read[0]:
            self._read = looks, reading.text(picture, self._grid)
        return self._read[1]

    def reads(self, *wanted: str, within_s: float = PATIENCE_S, meanwhile: Callable[[], object] | None = None) -> str:
        """Look until all of these words can be read on the panel; what else can be, then."""
        deadline = time.monotonic() + within_s
        while True:
            text = self.text()
            if all(word in text for word in wanted):
                return text
            if time.monotonic() > deadline:
                raise AssertionError(f"{wanted} cannot be read on the panel, but:\n{text}")
            if meanwhile:
                meanwhile()
            time.sleep(0.5)

    def keep_picture(self, name: str) -> str:
        """The newest one that was looked at; its place in the docs."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        with Image.open(self.place / SEEN) as picture:
            picture.save(PICTURES / f"{name}.png", optimize=True)
        return f"pictures/virtual-pi/{name}.png"

    # --- Inside -----------------------------------------------------------------------------------------------

    def companion(self, words: str, within_s: float = 600.0) -> str:
        """What the installed command says to its user, whatever its status."""
        answer = self.guest.run(f"companion {words}", USER, within_s)
        return answer.out + answer.err

    def doctor(self) -> dict[str, tuple[str, str]]:
        """Subject → verdict and words, with what to do."""
        told = json.loads(self.guest.run("companion doctor --json", USER).out)
        return {
            each["subject"]: (each["verdict"], " → ".join(filter(None, (each["words"], each.get("advice")))))
            for each in told["findings"]
        }


def has_kept(disk: Path, name: str) -> bool:
    return name in run("qemu-img", "snapshot", "-l", disk).split()


def today() -> str:
    now = datetime.now(UTC)
    return f"{now.day} {now:%b %Y}"
