"""What can be wrong with a simulated reader. Everything can be switched on and off while it runs."""

from random import Random
from threading import Event


class Faults:
    """Tests and the demo's console set these; the chip looks at them whenever it is selected."""

    NAMES = (
        *("gone", "stuck", "hung", "garbled", "colliding", "muffled", "stubborn", "sparks"),
        *("unpowered", "refused", "blocked"),
    )

    def __init__(self) -> None:
        self.gone: int | None = None
        """The chip neither hears nor drives the bus, which reads this: 0x00 or 0xFF. It keeps its registers."""
        self.stuck: int | None = None
        """The line from the chip is stuck at this byte; the chip hears."""
        self.hung = False
        """No command ends, and the timer stands still."""
        self.garbled = False
        """One bit of each answer arrives wrong."""
        self.colliding = False
        """Noise: every frame is answered by colliding bits."""
        self.muffled = False
        """No answer of a tag arrives, and nothing in the chip shows it: metal or a hand lies in between."""
        self.stubborn = False
        """A reset of the chip by its registers is lost on the way."""
        self.sparks = 0.0
        """The share of bytes to and from the chip that have one bit flipped."""
        self.refused = False
        """The operating system refuses every transfer (only through the simulated spidev)."""
        self.blocked: Event | None = None
        """Transfers do not return until this is set (only through the simulated spidev)."""
        self._unpowered = False
        self._outages = 0

    changes = 0
    """How often any of these was set. If it is unchanged, they all are."""

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        self.__dict__["changes"] = self.changes + 1

    def spark(self, byte: int, chance: Random) -> int:
        """What arrives of a byte."""
        return byte ^ 1 << chance.randrange(8) if chance.random() < self.sparks else byte

    @property
    def unpowered(self) -> bool:
        """No supply. When it comes back all registers hold what they do after a reset."""
        return self._unpowered

    @unpowered.setter
    def unpowered(self, on: bool) -> None:
        self._outages += on and not self._unpowered
        self._unpowered = on

    @property
    def outages(self) -> int:
        """How often the supply went away, so that the shortest outage is noticed."""
        return self._outages

    @property
    def on(self) -> tuple[str, ...]:
        """The names of all faults that are switched on."""
        states = ((name, getattr(self, name)) for name in self.NAMES)
        levels = ("gone", "stuck")  # of which 0x00 is a fault, too
        return tuple(name for name, state in states if (state is not None if name in levels else state))

    def clear(self) -> None:
        """Everything works again, and blocked transfers go on."""
        self.gone = self.stuck = None
        self.hung = self.garbled = self.colliding = self.refused = self.unpowered = False
        self.muffled = self.stubborn = False
        self.sparks = 0.0
        if self.blocked is not None:
            self.blocked.set()
            self.blocked = None
