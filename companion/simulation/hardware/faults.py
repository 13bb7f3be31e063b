"""What can be wrong with a simulated reader. Everything can be switched on and off while it runs."""

from threading import Event


class Faults:
    """Tests and the demo's console set these; the chip looks at them whenever it is selected."""

    NAMES = ("gone", "stuck", "hung", "garbled", "colliding", "unpowered", "refused", "blocked")

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
        """Noise: whatever is sent is answered by colliding bits."""
        self.refused = False
        """The operating system refuses every transfer (only through the simulated spidev)."""
        self.blocked: Event | None = None
        """Transfers do not return until this is set (only through the simulated spidev)."""
        self._unpowered = False
        self._outages = 0

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
        return tuple(name for name, state in states if state is not None and state is not False)  # 0x00 is one, too

    def clear(self) -> None:
        """Everything works again; who is blocked goes on."""
        self.gone = self.stuck = None
        self.hung = self.garbled = self.colliding = self.refused = self.unpowered = False
        if self.blocked is not None:
            self.blocked.set()
            self.blocked = None
