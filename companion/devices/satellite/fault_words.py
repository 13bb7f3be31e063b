"""Typed commands for a simulated satellite: the same words by hand and in a rig.

    pad0 lay 04A1B2C3D4E5F6
    pad0 break
    satellite unplug

`python -m companion.devices.satellite.fault_words` runs a satellite by hand, on a link named `satellite`, or as
told.
"""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

from companion.devices.satellite.simulated_board import SimulatedPad, Weather
from companion.devices.satellite.simulated_satellite import SimulatedSatellite
from companion.stations import PADS

NOISE = 0.02
"""The share of the bytes on a noisy line that are flipped."""

FAULTS = """\
pad0 break|mend|blur|jam    … pad4: its reader fails, works again, sees a stack; its green button stays down
satellite unplug|plug|reset|silence|speak|noise|clear|garbage|half|lose
"""
HELP = f"""\
pad0 lay UID · pad0 lift [UID] · pad0 press green|red · pad0 hold green|red · … pad4
{FAULTS}show · quit
"""

_OF_A_PAD: dict[str, Callable[[SimulatedPad], object]] = {
    "break": SimulatedPad.break_reader,
    "mend": SimulatedPad.mend_reader,
    "blur": SimulatedPad.blur,
    "jam": lambda pad: pad.jam("green"),
}


def misbehave(satellite: SimulatedSatellite, line: str) -> bool:
    """Let something go wrong, or well again. False: there is no such fault."""
    match line.split():
        case ["satellite", what]:
            return _spoil(satellite, what)
        case [station, what] if what in _OF_A_PAD and (pad := _pad(satellite, station)):
            _OF_A_PAD[what](pad)
            return True
    return False


def _pad(satellite: SimulatedSatellite, station: str) -> SimulatedPad | None:
    return next((pad for name, pad in zip(PADS, satellite.pads, strict=False) if name == station), None)


def _spoil(satellite: SimulatedSatellite, what: str) -> bool:
    match what:
        case "unplug" | "plug" | "reset" | "garbage":
            getattr(satellite, what)()
        case "silence" | "speak":
            satellite.silent = what == "silence"
        case "noise" | "clear":
            satellite.weather = Weather(flipped=NOISE if what == "noise" else 0.0)
        case "half":
            satellite.half_a_frame()
        case "lose":
            satellite.lose_events()
        case _:
            return False
    return True


def command(satellite: SimulatedSatellite, line: str) -> str:
    """Carry out one typed line, and say what came of it."""
    match line.split():
        case ["show"]:
            return "".join(
                f"{name}: {pad.lamp:8} {' '.join(pad.tags)}\n" for name, pad in zip(PADS, satellite.pads, strict=False)
            )
        case [station, "lay" | "lift" | "press" | "hold" as verb, *rest] if pad := _pad(satellite, station):
            try:
                getattr(pad, verb)(*rest)
            except ValueError as error:
                return f"{error}\n"
            except TypeError:
                return HELP  # too much or too little behind the verb
            return "done\n"
    return "done\n" if misbehave(satellite, line) else HELP


async def _by_hand(path: Path) -> None:
    async with SimulatedSatellite(path) as satellite:
        sys.stdout.write(f"A satellite hangs on {path}.\n{HELP}")
        while (line := await asyncio.to_thread(sys.stdin.readline)) and line.strip() != "quit":
            sys.stdout.write(command(satellite, line))
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_by_hand(Path(sys.argv[1] if len(sys.argv) > 1 else "satellite")))
