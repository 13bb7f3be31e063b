"""Which tag the owner means: one that is alone on the reader, for a moment. With two it is unclear."""

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit.enrolment import Complaint
from companion.stations import CENTRE, seat_at
from companion.table.signals import (
    Connecting,
    LinkDown,
    LinkUp,
    ReaderFault,
    Signal,
    TagFound,
    TagPlaced,
    TagRemoved,
    TagsUnclear,
)

CONNECTING = "connecting"
SETTLE_MS = 250
"""Two tags that are laid down together are reported one after the other, but not that far apart."""


class TappedTag(Struct, frozen=True):
    lying: tuple[str, ...] = ()
    """Tags on the reader, in the order in which they came."""
    tapped: tuple[str, int] | None = None
    """The tag that was laid down alone, and when. It counts if no other tag comes for a while."""
    problems: dict[str, str] = {}
    """Station → why its reader is unreliable; "" if it is not."""

    @property
    def problem(self) -> str:
        """Why no tag can be read now; "" if one can."""
        told = list(self.problems.values())
        return "" if "" in told else next((problem for problem in told if problem != CONNECTING), CONNECTING)

    def after(self, signal: Signal, now_ms: int) -> tuple["TappedTag", Complaint | None]:
        match signal:
            case TagPlaced(_, _, uid):
                return self._placed(uid, now_ms)
            case TagFound(_, _, uid):
                return replace(self, lying=_with(self.lying, uid)), Complaint("lay it again")
            case TagRemoved(_, _, uid):
                return replace(self, lying=tuple(each for each in self.lying if each != uid)), None
            case TagsUnclear():
                return replace(self, tapped=None), Complaint("unclear")
            case LinkUp(station):
                return self._told(station, ""), None
            case Connecting(station):
                return self._told(station, self.problems.get(station) or CONNECTING), None
            case ReaderFault(station, _, problem) | LinkDown(station, _, problem):
                return replace(self._told(station, problem), tapped=None), None
        return self, None

    def _told(self, station: str, problem: str) -> "TappedTag":
        """Only of places with a reader: the Pi's buttons are a station of their own."""
        reads = station == CENTRE or seat_at(station) is not None
        return replace(self, problems=self.problems | {station: problem}) if reads else self

    def _placed(self, uid: str, now_ms: int) -> tuple["TappedTag", Complaint | None]:
        beside = {*self.lying, *self.tapped[:1]} if self.tapped else {*self.lying}
        lying = _with(self.lying, uid)
        if beside - {uid}:
            told = ", ".join(sorted({*beside, uid}))
            return replace(self, lying=lying, tapped=None), Complaint("two tags", {"uids": told})
        return replace(self, lying=lying, tapped=(uid, now_ms)), None

    def settled(self, now_ms: int) -> tuple["TappedTag", str | None]:
        """The tag that the owner means, returned once."""
        if self.tapped is None or now_ms - self.tapped[1] < SETTLE_MS:
            return self, None
        return replace(self, tapped=None), self.tapped[0]


def _with(lying: tuple[str, ...], uid: str) -> tuple[str, ...]:
    return lying if uid in lying else (*lying, uid)
