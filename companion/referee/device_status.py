"""Watches the devices: each station is connecting, ready, unclear or lost, by what its signals say."""

from msgspec import Struct

from companion.gamekit.snapshot import StationState
from companion.table.signals import (
    Connecting,
    LinkDown,
    LinkUp,
    ReaderFault,
    Remarked,
    Signal,
    TagFound,
    TagPlaced,
    TagRemoved,
    TagsUnclear,
)


class DeviceStatus(Struct, frozen=True):
    devices: tuple[StationState, ...] = ()

    def after(self, signal: Signal) -> "DeviceStatus":
        """A station is what it says it is. One that never reports its state counts as ready as soon as it says
        anything. A stack is clear again when something is laid there or lifted."""
        station = signal.station
        match signal:
            case ReaderFault(problem=problem) | LinkDown(problem=problem):
                return self._with(StationState(station, "lost", problem))
            case Connecting():
                return self._with(StationState(station, "connecting"))
            case Remarked():
                return self
            case LinkUp():
                return self._with(StationState(station, "ready"))
            case TagsUnclear() if self._state(station) != "lost":
                return self._with(StationState(station, "unclear"))
            case TagPlaced() | TagFound() | TagRemoved() if self._state(station) == "unclear":
                return self._with(StationState(station, "ready"))
        return self if self._state(station) else self._with(StationState(station, "ready"))

    def _state(self, station: str) -> str:
        """What it was last; "" for one that nobody knows yet."""
        return next((device.state for device in self.devices if device.station == station), "")

    def _with(self, device: StationState) -> "DeviceStatus":
        if device in self.devices:
            return self
        others = [known for known in self.devices if known.station != device.station]
        return DeviceStatus(tuple(sorted([*others, device], key=lambda known: known.station)))
