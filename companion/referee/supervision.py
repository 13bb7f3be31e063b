"""Supervision: keeps a device at work, whatever happens in it. The game never stops for one."""

import asyncio
import sys
import time
import traceback
from itertools import chain, repeat

from companion.devices.device import Deliver, Device
from companion.table.signals import LinkDown

FAILED = "its driver failed"
RESTS_S = (1.0, 2.0, 5.0, 15.0)
"""How long a device that failed rests before it is tried again: the first time, the second… and from then on."""


async def keep(device: Device, deliver: Deliver) -> None:
    """Run a device until cancelled. Devices look after their own faults: what gets here is a mistake in a driver, which
    must cost its stations and nothing else."""
    for rest_s in chain(RESTS_S, repeat(RESTS_S[-1])):
        try:
            await device.run(deliver)
        except Exception:
            traceback.print_exc(file=sys.stderr)
        for station in device.stations:
            deliver(LinkDown(station, int(time.monotonic() * 1000), FAILED))
        await asyncio.sleep(rest_s)
