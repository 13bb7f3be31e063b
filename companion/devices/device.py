"""What every device is to the referee."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from companion.table.effects import Effect
from companion.table.signals import Signal

Deliver: TypeAlias = Callable[[Signal], object]
"""Takes a signal; when it returns, the result is on the disk. Called in the event loop's thread only."""


class Device(Protocol):
    """One thing with a plug: a reader on the SPI bus, the Pi's buttons, a satellite.

    It looks after itself. A fault is a signal (`ReaderFault`, `LinkDown`), never an exception out of `run`, and never a
    `TagRemoved`; it tries again, less and less often, until it is ready or cancelled. For each of its stations it says
    `Connecting`, then one `TagFound` for each tag that is there, then `LinkUp`; after that only what changes.
    """

    @property
    def stations(self) -> tuple[str, ...]: ...

    async def run(self, deliver: Deliver) -> None:
        """Until cancelled. Blocking work happens in threads of its own; no device waits for another."""
        ...

    def show(self, effect: Effect) -> None:
        """Returns at once. A device that is away shows the newest light of each station when it is back; a sound that
        is late is dropped. It ignores effects for stations that are not its own, or for which it has no lamp."""
        ...
