"""Who needs the real pcscd, what becomes of them where it cannot be run, and an evening of chance."""

import asyncio
import os
from importlib.util import find_spec
from random import Random

import pytest

from companion.config import TableSettings
from companion.devices.pcsc.settings import PcscSettings
from companion.devices.pcsc.simulated_daemon import missing
from companion.devices.pcsc.simulated_reader import VirtualReader
from companion.devices.simulated.tags import Classic, Ntag
from companion.processes.table_devices import equipment
from tests.devices.believing import believed, is_ready
from tests.devices.pi import ANNA, BEN, CLEO, KEY_RING

MOVES = 12
SETTLE_S = 20.0


def needs_pcscd() -> None:
    """Skip with a line that says why. Where packages can be installed that is a failure, unless it is root that is
    needed: a user's own machine may forbid what a pcscd apart takes."""
    why = why_no_pcscd()
    is_forbidden = "unshare" in why and os.getuid() != 0
    if why and os.environ.get("COMPANION_NO_SKIP") and not is_forbidden:
        pytest.fail(why)
    elif why:
        pytest.skip(why)


def why_no_pcscd() -> str:
    """Nothing, if it can be run."""
    return missing() if find_spec("smartcard") else "needs the library pyscard: `make usb`"


async def chance_evening(behind: VirtualReader, chance: Random) -> list[str]:
    """One tag at a time comes and goes, and faults in between: at the end what is believed lies there. The faults."""
    tags = [Ntag(ANNA), Ntag(BEN), Classic(KEY_RING), Ntag(CLEO)]
    signals: list = []
    faults: list[str] = []
    (device,) = equipment(TableSettings(readers=(PcscSettings(),)))
    running = asyncio.create_task(device.run(signals.append))
    try:
        for _ in range(MOVES):
            behind.field.lift()
            if chance.random() < 0.7:
                behind.field.place(chance.choice(tags))
            faults.append(chance.choice(["", "", "", "killed", "unplugged", "failing"]))
            await asyncio.to_thread(behind.spoil, faults[-1])
            await asyncio.sleep(chance.uniform(0.0, 0.9))
        await asyncio.to_thread(behind.spoil, "")
        lying = {tag.uid.hex().upper() for tag in behind.field.tags}
        try:
            async with asyncio.timeout(SETTLE_S):
                while believed(signals) != lying or not is_ready(signals):
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"believed {believed(signals)}, there lie {lying}") from None
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        behind.field.lift()
    return [fault for fault in faults if fault]
