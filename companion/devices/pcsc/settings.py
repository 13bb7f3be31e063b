"""Readers behind the daemon pcscd in table.toml: [[reader]] with kind = "pcsc". All of their keys are checked here."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta

from companion.devices.reader_settings import FoundReader, ReaderPace, ReaderSettings, SimulatedReader
from companion.devices.tag_field import ReaderError, TagField
from companion.devices.wired_part import Claim
from companion.stations import at
from companion.troubles import PcscTrouble, Trouble

if TYPE_CHECKING:
    from companion.devices.computer import System
    from companion.devices.finding import Check

SOCKET = "run/pcscd/pcscd.comm"


class PcscSettings(ReaderSettings, frozen=True):
    kind: ClassVar[str] = "pcsc"
    title: ClassVar[str] = "a reader that pcscd looks after, such as the ACR122U"
    # It waits for tags by itself, behind a daemon that takes its time.
    pace: ClassVar[ReaderPace] = ReaderPace(look_s=0.002, stalled_s=4.0, missing_ms=1000)
    sees_several: ClassVar[bool] = False
    no_library: ClassVar[Trouble] = PcscTrouble.NO_PYSCARD
    libraries: ClassVar[tuple[str, ...]] = ("smartcard",)

    name: Annotated[str, Meta(description='the name of a reader in quotes, as in "ACR122"')] = ""
    """How pcscd calls it, or a part of that; "": the first that reads without contact."""

    def claims(self) -> Iterator[Claim]:
        yield from ReaderSettings.claims(self)
        refusal = "{user} (line {line}) may be meant by this name, too; give each the whole name of its own"
        user = f"the reader of {at(self.station)}"
        yield Claim("name in pcscd", self.name, ("name",), user, refusal, is_same=_may_be_one)

    def comments(self) -> Mapping[str, str]:
        return {"name": "a part of its name is enough; empty: the first without contacts"}

    def opener(self) -> Callable[[], TagField]:
        from companion.devices.pcsc.driver import Pcsc

        return partial(Pcsc, self.name)

    def check(self, system: "System") -> "Check":
        from companion.devices.pcsc.check import pcsc_check

        return pcsc_check(self, system)

    @classmethod
    def detect(cls, root: Path) -> FoundReader | None:
        """pcscd is asked for names, and no card."""
        socket = os.environ.get("PCSCLITE_CSOCK_NAME") or str(root / SOCKET)
        if not Path(socket).exists():
            return None
        with suppress(ImportError, ReaderError):
            from companion.devices.pcsc.driver import is_contactless, reader_names

            for name in filter(is_contactless, reader_names()):
                return FoundReader(cls(name=lasting_name(name)), name)
        return None

    @classmethod
    def simulated(cls, folder: Path) -> SimulatedReader:
        from companion.devices.pcsc.simulated_reader import VirtualReader

        return VirtualReader()

    @classmethod
    def simulation_needs(cls) -> str:
        from companion.devices.pcsc.simulated_daemon import missing

        return missing()


def lasting_name(name: str) -> str:
    """Without the numbers that pcscd gives to readers in the order of their plugs."""
    words = name.split()
    while len(words) > 1 and len(words[-1]) == 2 and words[-1].isalnum():
        words.pop()
    return " ".join(words)


def _may_be_one(name: str, other: str) -> bool:
    """A part of a name is enough, so one that holds another may mean the same reader."""
    return name in other or other in name
