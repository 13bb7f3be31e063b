"""What a satellite's events mean at its pads: signals. Pure.

After every new session the pads are looked at again, and until a pad has told all that lies there nothing is believed
about it: then the differences to what was known before are told. A fault takes nothing away.
"""

from collections.abc import Mapping

from msgspec import Struct

from companion.devices.satellite import wire
from companion.devices.satellite.wire import Event, Welcome
from companion.table.signals import (
    Connecting,
    Held,
    LinkDown,
    LinkUp,
    Missed,
    Pressed,
    ReaderFault,
    Remarked,
    Signal,
    TagFound,
    TagPlaced,
    TagRemoved,
    TagsUnclear,
)
from companion.troubles import STUCK, CopyRemark, PadTrouble, StartCause

LATE_MS = 2000
"""A button that was pressed longer ago, while there was no link, no longer counts: it has to be pressed again."""


class Pads:
    """All pads of a satellite: number → station. It is kept while the satellite comes and goes."""

    def __init__(self, stations: Mapping[int, str]) -> None:
        self._pads = {number: _Pad(station) for number, station in stations.items()}
        self._life = (0, 0)
        """Serial number and start of the satellite, as its events' names have them."""
        self._fresh = 0
        self._readers = True
        self._untaken = 0
        """The number of the first event that has not been dealt with."""
        self._was_here = False
        """Whether it has been met before: a start of one that was just plugged in is no news."""
        self.started: StartCause | None = None
        """Why it started, if it has told…"""
        self.copies: dict[str, Copy] = {}
        """…and the stations whose readers are copies of the chip."""

    def begin(self, now_ms: int) -> list[Signal]:
        """The satellite is looked for from now on. Forget what was told before."""
        for pad in self._pads.values():
            pad.forget()
        return self.connecting(now_ms)

    def connecting(self, now_ms: int) -> list[Signal]:
        """The satellite is being looked for. Not told twice."""
        return [signal for pad in self._pads.values() for signal in pad.become("connecting", now_ms)]

    def lost(self, problem: str, now_ms: int) -> list[Signal]:
        """The satellite has gone, or cannot be used. Not told twice."""
        return [signal for pad in self._pads.values() for signal in pad.become(problem, now_ms)]

    def welcomed(self, welcome: Welcome, now_ms: int) -> list[Signal]:
        """A new session: everything is looked at again. Within one life of the satellite its events are numbered on."""
        if not self._goes_on(welcome):
            self._life, self._untaken = (welcome.serial, welcome.boot), welcome.next
        self._fresh = welcome.fresh
        self._readers = bool(welcome.features & wire.READERS)
        can_be = "connecting" if self._readers else PadTrouble.NO_READER
        signals: list[Signal] = []
        for number, pad in self._pads.items():
            pad.meet()
            signals += pad.become(can_be if number < welcome.pads else PadTrouble.NO_PAD, now_ms)
        return signals

    def _goes_on(self, welcome: Welcome) -> bool:
        """Whether the numbers can be those of the life that is known: the next one to be taken was kept, or is the
        first of this session. A name alone may come twice: without a serial number, or with a new EEPROM."""
        laps = int(self._untaken < welcome.next)  # those that are kept may begin before the numbers start over
        if (welcome.serial, (welcome.boot + laps) % 0x10000) != self._life:
            return False
        return 0 <= wire.ahead(self._untaken, welcome.next) <= wire.ahead(welcome.fresh, welcome.next)

    def hear(self, event: Event, at_ms: int) -> list[Signal]:
        """What this event means; nothing, if it was `taken` already and comes again because its ACK was lost. After a
        crash it has the same name."""
        if wire.ahead(event.number, self._untaken) < 0:
            return []
        name = "{}.{}.{}".format(*self._life, event.number)
        if event.kind == wire.STARTED:
            return self._restarted(event.content[0], at_ms, name)
        if event.kind == wire.LOST:
            return [signal for number, pad in self._pads.items() for signal in pad.missed(at_ms, f"{name}.{number}")]
        if event.pad not in self._pads:
            return []
        pad = self._pads[event.pad]
        if event.kind in (wire.PRESSED, wire.HELD, wire.STUCK):
            return pad.button(event, at_ms, name)
        if not self._readers:
            return []
        if event.kind == wire.COPY:
            return self._copied(pad.station, Copy(*event.content), at_ms, name)
        if wire.ahead(event.number, self._fresh) < 0:
            return pad.earlier(event, name)
        return pad.tags(event, at_ms, name)

    def _restarted(self, flags: int, at_ms: int, name: str) -> list[Signal]:
        """What it does by itself is always told; what hands may have done, only of one that was here before."""
        self.started, was_here = wire.start_cause(flags), self._was_here
        self._was_here = True
        tells = self.started in (StartCause.BROWN_OUT, StartCause.WATCHDOG) or (
            self.started is StartCause.POWER and was_here
        )
        station = next((pad.station for pad in self._pads.values()), None)
        return [Remarked(station, at_ms, self.started, name)] if station and self.started and tells else []

    def _copied(self, station: str, copy: "Copy", at_ms: int, name: str) -> list[Signal]:
        """Named once, as long as it is the same."""
        before, self.copies[station] = self.copies.get(station), copy
        return [Remarked(station, at_ms, CopyRemark.ODD_COPY, name)] if copy.odd and copy != before else []

    def taken(self, number: int) -> None:
        """What this event meant has been delivered."""
        if wire.ahead(number, self._untaken) >= 0:
            self._untaken = (number + 1) % 0x10000
            if self._untaken <= number:  # all numbers have been used: from 0 on they get another name
                serial, boot = self._life
                self._life = serial, (boot + 1) % 0x10000


class Copy(Struct, frozen=True):
    """A reader's chip that is none of NXP's: its version, and in how many places it breaks the data sheet's promise."""

    version: int
    odd: int


class _Pad:
    def __init__(self, station: str) -> None:
        self.station = station
        self._told = ""
        """What was last told of it: "connecting", "ready", or a problem."""
        self._known: dict[str, None] = {}
        """The tags that lie there, as far as has been told."""
        self._laid: dict[str, str] = {}
        """Tags that were laid there while nothing was believed, and the names of those events. They are acknowledged
        and will not come again, so they are kept until it is known what became of them."""
        self._broken = ""
        """What is wrong with the reader."""
        self._stuck: set[int] = set()
        self.doubt()

    def meet(self) -> None:
        """A new session. What is still wrong will be told again."""
        self._broken = ""
        self._stuck.clear()
        self.doubt()

    def missed(self, at_ms: int, name: str) -> list[Signal]:
        """Events were lost, and some of them may have been of this pad. All pads are looked at again."""
        self.doubt()
        return [Missed(self.station, at_ms, name)]

    def doubt(self) -> None:
        """From now on nothing is believed, until all that lies there has been told."""
        self._believed = False
        self._found: dict[str, int] = {}
        """What has been told since then, and when that was: one that is carried to another pad meanwhile is told there
        first."""

    def forget(self) -> None:
        """What was told of its state. What is known to lie there stays."""
        self._told = ""

    def become(self, state: str, now_ms: int, name: str = "") -> list[Signal]:
        if state == self._told:
            return []
        self._told = state
        match state:
            case "connecting":
                return [Connecting(self.station, now_ms, name)]
            case "ready":
                return [LinkUp(self.station, now_ms, name)]
        return [LinkDown(self.station, now_ms, state, name)]

    # --- Buttons ----------------------------------------------------------------------------------------------

    def button(self, event: Event, at_ms: int, name: str) -> list[Signal]:
        """Buttons are believed at once, even while the reader fails. One that was stuck and is pressed works again."""
        button = event.content[0]
        if event.kind == wire.STUCK:
            self._stuck.add(button)
            problem = STUCK[wire.BUTTONS[button]]
            return [] if problem == self._told else self._fault(problem, at_ms, name)
        mended = self._unstick(button, at_ms, name)
        if event.age_ms > LATE_MS:
            return [*mended, Missed(self.station, at_ms, name)]
        kind = Pressed if event.kind == wire.PRESSED else Held
        return [*mended, kind(self.station, at_ms, wire.BUTTONS[button], name)]

    def _unstick(self, button: int, at_ms: int, name: str) -> list[Signal]:
        if button not in self._stuck:
            return []
        self._stuck.discard(button)
        return self._settle(at_ms, name)

    # --- Tags -------------------------------------------------------------------------------------------------

    def earlier(self, event: Event, name: str) -> list[Signal]:
        """An event queued before this session. The pads are read again anyway, so only placements matter."""
        if event.kind == wire.PLACED:
            self._laid[event.uid] = name
        return []

    def tags(self, event: Event, at_ms: int, name: str) -> list[Signal]:
        match event.kind:
            case wire.FAULT:
                self.doubt()
                self._broken = wire.FAULTS[event.content[0]]
                return self._fault(self._broken, at_ms, name)
            case wire.UNCLEAR:
                return [TagsUnclear(self.station, at_ms, name)]
            case wire.READY if not self._believed:
                return self._believe(at_ms, name)
            case wire.PLACED | wire.FOUND | wire.REMOVED:
                return self._change(event, at_ms, name) if self._believed else self._note(event, at_ms, name)
        return []

    def _note(self, event: Event, at_ms: int, name: str) -> list[Signal]:
        if event.kind == wire.REMOVED:
            self._found.pop(event.uid, None)
        else:
            self._found[event.uid] = at_ms
        if event.kind == wire.PLACED:
            self._laid[event.uid] = name
        return []

    def _change(self, event: Event, at_ms: int, name: str) -> list[Signal]:
        uid = event.uid
        known = uid in self._known
        if event.kind == wire.REMOVED:
            self._known.pop(uid, None)
            return [TagRemoved(self.station, at_ms, uid, name)] if known else []
        self._known[uid] = None
        if event.kind == wire.FOUND:
            return [] if known else [TagFound(self.station, at_ms, uid, name)]
        lifted = [TagRemoved(self.station, at_ms, uid, f"{name}.lifted")] if known else []
        return [*lifted, TagPlaced(self.station, at_ms, uid, name)]

    def _believe(self, at_ms: int, name: str) -> list[Signal]:
        """All that lies there has been told. What has gone comes first, so that a piece that was replaced is not taken
        for one too many. A piece that was lifted and laid again meanwhile has gone, and is found again."""
        gone = [uid for uid in self._known if uid not in self._found or uid in self._laid]
        new = {uid: ms for uid, ms in self._found.items() if uid not in self._known or uid in self._laid}
        tapped = [laid for uid, laid in self._laid.items() if uid not in self._found]
        self._known = dict.fromkeys(self._found)
        self._laid = {}
        self._broken = ""
        self.doubt()
        self._believed = True
        return [
            *(TagRemoved(self.station, at_ms, uid, f"{name}.{uid}.lifted") for uid in gone),
            *(TagFound(self.station, found_ms, uid, f"{name}.{uid}") for uid, found_ms in new.items()),
            *(Missed(self.station, at_ms, laid) for laid in tapped[:1]),
            *self._settle(at_ms, name),
        ]

    # --- Faults -----------------------------------------------------------------------------------------------

    def _fault(self, problem: str, at_ms: int, name: str) -> list[Signal]:
        self._told = problem
        return [ReaderFault(self.station, at_ms, problem, name)]

    def _settle(self, at_ms: int, name: str) -> list[Signal]:
        """Something works again: what is still wrong is told now, or that nothing is."""
        problem = self._broken or next((STUCK[wire.BUTTONS[button]] for button in sorted(self._stuck)), "")
        if problem:
            return [] if problem == self._told else self._fault(problem, at_ms, name)
        return self.become("ready", at_ms, name) if self._believed else []
