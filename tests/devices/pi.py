"""A simulated Pi with one reader, on a clock that only moves when something takes time."""

from typing import Any, Self

from companion.devices.rc522.driver import Rc522
from companion.devices.rc522.simulated_bus import Board
from companion.devices.rc522.simulated_chip import Chip
from companion.devices.simulated.tags import Classic, Ntag, Tag

ANNA, BEN, CLEO = (bytes.fromhex(uid) for uid in ("04A1B2C3D4E5F6", "04A1B2C3D4E5F7", "04FF00FF00FF00"))
KEY_RING = bytes.fromhex("12345678")
LONG = bytes.fromhex("112233445566778899AA")
PLACE = (0, 0, 25)
"""Bus, device and reset pin of a reader that is plugged in without saying where."""


def tag_of(uid: bytes, **traits) -> Tag:
    """A sticker with this UID, of the kind that has UIDs of this length."""
    kind = {4: Classic, 7: Ntag, 10: Tag}[len(uid)]
    return kind(uid, **traits)


class Pi:
    """`with Pi() as pi`: while this lasts, this is the Pi that libraries see."""

    def __init__(self, chip: Chip | None = None):
        self.board = Board()
        self.chip = self.board.plug(chip or Chip(), *PLACE)
        self.clock = self.board.clock

    def __enter__(self) -> Self:
        self._shown = self.board.installed()
        self._shown.__enter__()
        return self

    def __exit__(self, *error) -> None:
        self._shown.__exit__(*error)

    @property
    def field(self):
        return self.chip.field

    def open(self) -> Rc522:
        """A reader that is ready, and a field that has been on for long enough."""
        reader = Rc522(*PLACE, sleep=self.clock.sleep)
        self.clock.sleep(0.01)
        return reader

    def lay(self, *uids: bytes, **traits) -> list[Any]:
        tags = [tag_of(uid, **traits) for uid in uids]
        self.field.place(*tags)
        self.clock.sleep(0.006)
        return tags

    def transfers(self, act) -> int:
        before = self.board.transfers
        act()
        return self.board.transfers - before
