"""Watches the devices: each station is connecting, ready or lost, by what its signals say."""

from msgspec import Struct

from companion.snapshot import Device
from companion.table.signals import Connecting, LinkDown, LinkUp, ReaderFault, Signal


class Watch(Struct, frozen=True):
    devices: tuple[Device, ...] = ()

    def after(self, signal: Signal) -> "Watch":
        """A fault or a broken link makes a station lost; anything else that it says shows that it is there."""
        if isinstance(signal, ReaderFault | LinkDown):
            device = Device(signal.station, "lost", signal.problem)
        elif isinstance(signal, Connecting):
            device = Device(signal.station, "connecting")
        elif self._is_connecting(signal.station) and not isinstance(signal, LinkUp):
            return self
        else:
            device = Device(signal.station, "ready")
        if device in self.devices:
            return self
        others = [known for known in self.devices if known.station != signal.station]
        return Watch(tuple(sorted([*others, device], key=lambda known: known.station)))

    def _is_connecting(self, station: str) -> bool:
        return any(known.station == station and known.state == "connecting" for known in self.devices)
