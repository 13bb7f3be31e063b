"""A reader behind the real pcscd, with random faults: the reported tags are those on the reader."""

import asyncio
from collections import Counter
from random import Random

from companion.devices.pcsc.simulated_reader import VirtualReader
from tests.campaign.trial import Outcome
from tests.pcsc import chance_evening, needs_pcscd

TITLE = "readers on USB: PC/SC"
HOW = (
    "The real pcscd and the real pyscard, with simulated tags behind the virtual reader of vsmartcard-vpcd: one tag "
    "at a time comes and goes at random moments, while pcscd is killed, loses its reader, or commands to a card fail. "
    "At the end the reported tags are on the reader, and no others. In real time, so these are few."
)
FULL = 100
QUICK = 1


def run(count: int, seed: int) -> Outcome:
    needs_pcscd()
    seen: Counter[str] = Counter()
    failures = []
    with VirtualReader() as behind:
        for number in range(count):
            try:
                faults = asyncio.run(chance_evening(behind, Random(f"{seed} {number}")))
                seen["faults made"] += len(faults)
            except AssertionError as wrong:
                failures.append(f"seed {seed}, evening {number}: {wrong}")
    return Outcome(count, dict(seen), tuple(failures))
