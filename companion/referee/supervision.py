"""Supervision: keeps a device at work, whatever happens in it. The game never stops for one."""

import asyncio
import time
from itertools import chain, repeat

from companion import crash
from companion.devices.device import Deliver, Device
from companion.table.signals import LinkDown
from companion.troubles import DriverTrouble

RESTS_S = (1.0, 2.0, 5.0, 15.0)
"""How long a device that failed rests before it is tried again: the first time, the second… and from then on."""


async def keep(device: Device, deliver: Deliver) -> None:
    """Run a device until cancelled. Devices look after their own faults: what gets here is a bug in a driver, which may
    take down its own stations and nothing else."""
    for rest_s in chain(RESTS_S, repeat(RESTS_S[-1])):
        try:
            await device.run(deliver)
        except Exception as error:
            crash.tell(error)
        for station in device.stations:
            deliver(LinkDown(station, int(time.monotonic() * 1000), DriverTrouble.FAILED))
        await asyncio.sleep(rest_s)
