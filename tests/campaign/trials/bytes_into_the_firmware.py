"""The firmware's core under ASan and UBSan: its line, its readers' chips, its buttons and its clock say anything."""

import re
import subprocess

from tests.campaign.trial import Outcome
from tests.firmware.tools import BUILD, FIRMWARE, need
from tests.firmware.tools import run as make

TITLE = "bytes into the satellite"
HOW = (
    "Random and half-made frames, chips that answer anything, buttons and clocks that jump, into the firmware's core "
    "with sanitizers; whatever it sends can be read, and it touches nothing that is not its own."
)
FULL = 20_000_000
QUICK = 400_000
AN_INPUT = 4096
"""Bytes of an input, on average."""


def run(count: int, seed: int) -> Outcome:
    need("cc", "gcc")
    make("make", "-C", FIRMWARE, "build/fuzz-once")
    inputs = count // AN_INPUT + 10
    done = subprocess.run(
        [BUILD / "fuzz-once", str(inputs), str(seed)], capture_output=True, text=True, check=False, errors="replace"
    )
    if done.returncode:
        return Outcome(count, failures=(f"seed {seed}: {done.stderr.strip().splitlines()[:1]}",))
    figures = [int(figure) for figure in re.findall(r"\d+", done.stdout)]
    _, bytes_in_all, line, answers, events = figures
    return Outcome(bytes_in_all, {"bytes on the line": line, "answers": answers, "events": events})
