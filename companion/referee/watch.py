"""Watches the devices: each station is connecting, ready or lost, by what its signals say."""

from msgspec import Struct

from companion.snapshot import Device
from companion.table.signals import LinkDown, ReaderFault, Signal


class Watch(Struct, frozen=True):
    devices: tuple[Device, ...] = ()

    def after(self, signal: Signal) -> "Watch":
        """A fault or a broken link makes a station lost; anything else that it says shows that it is there."""
        if isinstance(signal, ReaderFault | LinkDown):
            device = Device(signal.station, "lost", signal.problem)
        else:
            device = Device(signal.station, "ready")
        if device in self.devices:
            return self
        others = [known for known in self.devices if known.station != signal.station]
        return Watch(tuple(sorted([*others, device], key=lambda known: known.station)))
