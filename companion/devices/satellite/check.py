"""The satellite: is its line there, does it answer, is it the right one, and do its readers work?

It is met exactly as the referee meets it, by the same device, until each pad is ready or says why not.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.devices.computer import System, no_permission
from companion.devices.finding import Check, Finding, lying
from companion.devices.rc522.check import CHIPS
from companion.devices.satellite.settings import SatelliteSettings
from companion.devices.usb_ports import usb_ports
from companion.devices.wired_part import AUTO
from companion.table.signals import LinkDown, LinkUp, ReaderFault, Signal, TagFound
from companion.troubles import (
    CopyRemark,
    LineTrouble,
    ReaderTrouble,
    SatelliteTrouble,
    StartCause,
    most_telling,
    remedy,
)

if TYPE_CHECKING:
    from companion.devices.satellite.driver import Satellite
    from companion.devices.satellite.pads import Copy
    from companion.devices.satellite.wire import Welcome

ANSWER_S = 6.0
"""For each line that is asked: a board listens to its boot loader first, and then looks at its pads."""
LAST_START = "satellite's last start"


def satellite_check(satellite: SatelliteSettings, system: System, answer_s: float = ANSWER_S) -> Check:
    """On "auto" every USB serial line is asked."""
    ports = _plugged(system) if satellite.port == AUTO else [satellite.port]
    asking_s = answer_s * max(1, len(ports))
    return Check("satellite", lambda: _look(satellite, ports, system, asking_s), asking_s + 1)


def _plugged(system: System) -> list[str]:
    """As this system has them: below its root."""
    root = system.path("")
    return [f"/{Path(port.path).relative_to(root)}" for port in usb_ports(root)]


def _look(satellite: SatelliteSettings, ports: list[str], system: System, asking_s: float) -> Iterator[Finding]:
    if not any(map(system.there, ports)):
        words = f"there is no {satellite.port}" if ports else "no serial device is plugged in"
        yield Finding.problem("satellite", words, LineTrouble.UNPLUGGED.remedy)
        return
    denied = no_permission("satellite", system, *ports)
    if denied and not any(map(system.usable, ports)):
        yield denied
        return
    try:
        from companion.devices.satellite.driver import Satellite  # noqa: PLC0415 — needs libraries of the extra
    except ImportError as error:
        yield Finding.problem("satellite", f"{ReaderTrouble.NO_DRIVER} ({error})", ReaderTrouble.NO_DRIVER.remedy)
        return
    port = None if satellite.port == AUTO else str(system.path(satellite.port))
    device = Satellite(dict(enumerate(satellite.pads)), port, satellite.serial, root=system.path(""))
    said = asyncio.run(_meet(device, asking_s))
    yield from _told(satellite, said, device.welcome)
    if device.welcome:
        yield from _remarks(device.started, device.copies)


async def _meet(device: "Satellite", asking_s: float) -> list[Signal]:
    """All that it says until each station is settled, or the time is up."""
    said: list[Signal] = []
    settled = asyncio.Event()

    def deliver(signal: Signal) -> None:
        said.append(signal)
        if set(device.stations) == set(_outcomes(said)):
            settled.set()

    running = asyncio.create_task(device.run(deliver))
    with suppress(TimeoutError):
        await asyncio.wait_for(settled.wait(), asking_s)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    return said


def _outcomes(said: list[Signal]) -> dict[str, LinkUp | LinkDown | ReaderFault]:
    """The newest word on each station that has one."""
    return {signal.station: signal for signal in said if isinstance(signal, LinkUp | LinkDown | ReaderFault)}


def _told(satellite: SatelliteSettings, said: list[Signal], welcome: "Welcome | None") -> Iterator[Finding]:
    outcomes = _outcomes(said)
    lost = {outcome.problem for outcome in outcomes.values() if isinstance(outcome, LinkDown)}
    if welcome is None or not any(isinstance(outcome, LinkUp | ReaderFault) for outcome in outcomes.values()):
        problem = most_telling(lost, SatelliteTrouble.NO_ANSWER)
        yield Finding.problem("satellite", problem, problem.remedy)
        return
    yield itself(welcome)
    yield from (pad_finding(station, outcomes.get(station), said) for station in satellite.pads)


def _remarks(started: StartCause | None, copies: Mapping[str, "Copy"]) -> Iterator[Finding]:
    """Why it started, and which of its readers are copies of the chip: see docs/wire.md, "Events"."""
    if started in (StartCause.BROWN_OUT, StartCause.WATCHDOG):
        yield Finding.check(LAST_START, started, started.remedy)
    elif started:
        yield Finding.ok(LAST_START, "by its reset line" if started is StartCause.RESET_PIN else "when it got power")
    for station, copy in copies.items():
        named = (
            f"its reader is {CHIPS.get(copy.version, f'an unknown copy, version 0x{copy.version:02X},').rstrip(',')}"
        )
        if copy.odd:
            yield Finding.check(station, f"{named}; {CopyRemark.ODD_COPY}", CopyRemark.ODD_COPY.remedy)
        else:
            yield Finding.ok(station, named)


def itself(welcome: "Welcome") -> Finding:
    """What it said of itself: see docs/wire.md, "Shaking hands"."""
    name = f"its serial number is {welcome.serial}" if welcome.serial else "it has no serial number"
    firmware = f"its firmware is {welcome.major}.{welcome.minor} and keeps {welcome.room} events"
    return Finding.ok("satellite", f"answers; {name}; {firmware}")


def pad_finding(station: str, outcome: LinkUp | LinkDown | ReaderFault | None, said: list[Signal]) -> Finding:
    """What the newest word on a pad says of its reader."""
    if outcome is None:
        return Finding.problem(station, SatelliteTrouble.NO_ANSWER, SatelliteTrouble.NO_ANSWER.remedy)
    if not isinstance(outcome, LinkUp):
        return Finding.problem(station, outcome.problem, remedy(outcome.problem))
    tags = sum(isinstance(signal, TagFound) and signal.station == station for signal in said)
    return Finding.ok(station, f"its reader works{lying(tags)}")
