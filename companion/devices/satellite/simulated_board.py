"""A simulated satellite without its cable: pads on which tags are laid, buttons, lamps, and the end of the wire. Pure.

board = SatelliteBoard(clock)
board.pads[0].lay("04A1B2C3D4E5F6")
board.pads[0].press("green")
board.receive(bytes_from_the_host)
line.write(board.to_send())
assert board.pads[0].lamp == "turn"
"""

from collections.abc import Callable
from random import Random

from msgspec.structs import replace

from companion.devices.iso14443 import UID_LENGTHS
from companion.devices.satellite import wire
from companion.devices.satellite.simulated_link import Begun, Deserted, Identity, Ordered, SatelliteLink
from companion.table.effects import Cue, Pattern
from companion.troubles import PadTrouble

FAULTS = {problem: code for code, problem in wire.FAULTS.items()}


class SimulatedPad:
    """One pad: what lies on it, and what hands do there. Its lamp and its sounds can be read."""

    def __init__(self, number: int, tell: Callable[[int, int, bytes], None], look: Callable[[int], None]) -> None:
        self._number = number
        self._tell = tell
        self._look = look
        self._fault: PadTrouble | None = None
        self._blurred = False
        self._jammed: set[str] = set()
        self._seen: tuple[str, ...] = ()
        """What the host has been told of."""
        self.told = True
        """Whether what lies there has been told since the pad was last due to be looked at again."""
        self.tags: tuple[str, ...] = ()
        """The UIDs that lie there."""
        self.copy: tuple[int, int] | None = None
        """If the reader's chip is none of NXP's: its version, and in how many places it is odd."""
        self.lamp: Pattern = "off"
        self.sounds: list[Cue] = []
        """What the buzzer has said for this pad."""

    # --- Hands ------------------------------------------------------------------------------------------------

    def lay(self, uid: str) -> None:
        """A tag is laid there, by its UID: 4, 7 or 10 bytes, hexadecimal. It lies there already: nothing happens."""
        if len(bytes.fromhex(uid)) not in UID_LENGTHS:
            raise ValueError(f"a UID has 4, 7 or 10 bytes: {uid}")
        if uid not in self.tags:
            self.tags += (uid,)
            self._watch()

    def lift(self, uid: str | None = None) -> None:
        """A tag is taken away; None: all that lie there."""
        self.tags = () if uid is None else tuple(other for other in self.tags if other != uid)
        self._watch()

    def press(self, button: str) -> None:
        """A button, "green" or "red", is pressed and let go."""
        self._tell(self._number, wire.PRESSED, _button(button))
        self._jammed.discard(button)

    def hold(self, button: str) -> None:
        """A button is held for two seconds."""
        self._tell(self._number, wire.HELD, _button(button))
        self._jammed.discard(button)

    # --- Faults -----------------------------------------------------------------------------------------------

    def jam(self, button: str) -> None:
        """A button stays down, until it is pressed again. It is told again to every host."""
        self._tell(self._number, wire.STUCK, _button(button))
        self._jammed.add(button)

    def blur(self) -> None:
        """Too many tags lie there to tell them apart. Until the reader is mended nothing else is told of them, and a
        look at them is not over: READY waits."""
        if self.told and self._fault is None and not self._blurred:
            self._tell(self._number, wire.UNCLEAR, b"")
        self._blurred = True

    def break_reader(self, fault: PadTrouble = PadTrouble.HANGS) -> None:
        """The reader fails: what hands do there with tags is not seen. The buttons go on."""
        self._fault = fault
        self._look(self._number)

    def mend_reader(self) -> None:
        """The reader works again, and sees what lies there."""
        seeing = self.told and self._fault is None
        self._fault, self._blurred = None, False
        if seeing:
            self._watch()
        else:
            self._look(self._number)

    # --- For the board ----------------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Tell what has changed. A reader that is broken sees nothing, and a pad that is going to be looked at will
        tell then."""
        if not self.told or self._fault is not None or self._blurred:
            return
        gone = [uid for uid in self._seen if uid not in self.tags]
        new = [uid for uid in self.tags if uid not in self._seen]
        self._seen = self.tags
        for uid in gone:
            self._tell(self._number, wire.REMOVED, bytes.fromhex(uid))
        for uid in new:
            self._tell(self._number, wire.PLACED, bytes.fromhex(uid))

    def name_copy(self) -> None:
        """Once in a session, before it is told what lies there."""
        if self.copy is not None:
            self._tell(self._number, wire.COPY, bytes(self.copy))

    def complain(self) -> None:
        for button in sorted(self._jammed):
            self._tell(self._number, wire.STUCK, _button(button))

    def inventory(self) -> list[tuple[int, bytes]]:
        """The events that tell what lies there, as far as the reader sees it."""
        if self._fault is not None:
            return [(wire.FAULT, bytes([FAULTS[self._fault]]))]
        if self._blurred:
            return [(wire.UNCLEAR, b"")]
        return [*((wire.FOUND, bytes.fromhex(uid)) for uid in self.tags), (wire.READY, b"")]

    def looked(self) -> None:
        """The inventory has been told. Where things are unclear it goes on when they are not."""
        self.told = self._fault is not None or not self._blurred
        self._seen = self.tags

    def restart(self) -> None:
        """The reader restarts: what lies there now is nothing new to it, but will be told to the next host."""
        self.told = True
        self._seen = self.tags


def _button(name: str) -> bytes:
    if name not in wire.BUTTONS:
        raise ValueError(f"a button is green or red, not {name}")
    return bytes([wire.BUTTONS.index(name)])


class SatelliteBoard:
    """A satellite: pads, and the link to the host. It loses its memory, and counts its boots, when it is `reset`."""

    def __init__(self, clock: Callable[[], int], identity: Identity | None = None, boot: int = 1) -> None:
        self._clock = clock
        self._link = SatelliteLink(identity or Identity(), boot)
        self._unseen: set[int] = set()
        """Pads that are due to be looked at again."""
        self.changed: Callable[[], None] = lambda: None
        """Called when there may be something to send."""
        self.pads = tuple(SimulatedPad(number, self._happen, self._look) for number in range(self.identity.pads))

    @property
    def identity(self) -> Identity:
        return self._link.identity

    def receive(self, data: bytes = b"") -> None:
        for occurrence in self._link.receive(data, self._clock()):
            match occurrence:
                case Begun():
                    self._show("off")
                    for pad in self.pads:
                        pad.name_copy()
                    self._look(*range(len(self.pads)))
                    for pad in self.pads:
                        pad.complain()
                case Deserted():
                    self._show("lost")
                case Ordered(wire.LIGHT, number, value):
                    self.pads[number].lamp = wire.PATTERNS[value]
                case Ordered(wire.SOUND, number, value):
                    self.pads[number].sounds.append(wire.CUES[value])
        self._catch_up()

    def to_send(self) -> bytes:
        return self._link.to_send(self._clock())

    @property
    def wake_ms(self) -> int | None:
        """When to be called again, with what has arrived."""
        return self._link.wake_ms

    # --- Misfortunes ------------------------------------------------------------------------------------------

    def reset(self, cause: int = 0, **changed: int) -> None:
        """It restarts, perhaps as another satellite: another `serial`, `version`, `major`, `minor`, `room`. `cause`:
        bits of MCUSR; 0: it says nothing of it, as older ones do."""
        self._link = SatelliteLink(replace(self.identity, **changed), self._link.boot + 1, cause=cause)
        self._unseen.clear()
        for pad in self.pads:
            pad.restart()
        self._show("off")
        self.changed()

    def lose_events(self, count: int) -> None:
        """This many events are dropped, as if there had been no room for them."""
        self._link.dropped += count
        self._catch_up()
        self.changed()

    # --- Events -----------------------------------------------------------------------------------------------

    def _happen(self, pad: int, kind: int, content: bytes) -> None:
        self._link.keep(self._clock(), pad, kind, content)
        self._catch_up()
        self.changed()

    def _look(self, *pads: int) -> None:
        self._doubt(*pads)
        self._catch_up()
        self.changed()

    def _doubt(self, *pads: int) -> None:
        for number in pads:
            self.pads[number].told = False
        self._unseen.update(pads)

    def _catch_up(self) -> None:
        """What waits for room: first that something was lost, then what lies on the pads."""
        now_ms = self._clock()
        if self._link.confess(now_ms):
            self._doubt(*range(len(self.pads)))
        for number in sorted(self._unseen):
            events = self.pads[number].inventory()
            if self._link.dropped or len(events) > self._link.room:
                break
            for kind, content in events:
                self._link.keep(now_ms, number, kind, content)
            self.pads[number].looked()
            self._unseen.discard(number)

    def _show(self, pattern: Pattern) -> None:
        for pad in self.pads:
            pad.lamp = pattern


class Weather:
    """A bad wire: each byte is lost, doubled or flipped with these chances. The same seed does the same."""

    def __init__(self, seed: int = 0, *, lost: float = 0.0, doubled: float = 0.0, flipped: float = 0.0) -> None:
        self._chance = Random(seed)
        self._lost, self._doubled, self._flipped = lost, doubled, flipped

    def spoil(self, data: bytes) -> bytes:
        if not (self._lost or self._doubled or self._flipped):
            return data
        return b"".join(self._byte(byte) for byte in data)

    def _byte(self, byte: int) -> bytes:
        chance = self._chance.random()
        if chance < self._lost:
            return b""
        if chance < self._lost + self._doubled:
            return bytes([byte, byte])
        if chance < self._lost + self._doubled + self._flipped:
            return bytes([byte ^ self._chance.randrange(1, 256)])
        return bytes([byte])
