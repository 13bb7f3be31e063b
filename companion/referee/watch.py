"""Watches the devices: each station is connecting, ready or lost, by what its signals say."""

from msgspec import Struct

from companion.snapshot import Device
from companion.table.signals import Connecting, LinkDown, LinkUp, ReaderFault, Signal, TagPlaced, TagRemoved


class Watch(Struct, frozen=True):
    devices: tuple[Device, ...] = ()

    def after(self, signal: Signal) -> "Watch":
        """A station is what it says it is. One that says nothing of itself is there when it says anything, but a press
        does not prove that a lost reader is back."""
        match signal:
            case ReaderFault(station, _, problem) | LinkDown(station, _, problem):
                return self._with(Device(station, "lost", problem))
            case Connecting(station):
                return self._with(Device(station, "connecting"))
            case LinkUp(station):
                return self._with(Device(station, "ready"))
        states = [device.state for device in self.devices if device.station == signal.station]
        if not states or (states == ["lost"] and isinstance(signal, TagPlaced | TagRemoved)):
            return self._with(Device(signal.station, "ready"))
        return self

    def _with(self, device: Device) -> "Watch":
        if device in self.devices:
            return self
        others = [known for known in self.devices if known.station != device.station]
        return Watch(tuple(sorted([*others, device], key=lambda known: known.station)))
