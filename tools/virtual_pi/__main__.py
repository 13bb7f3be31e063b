"""The scenes, one after the other, and the report of what was seen. `--scene doctor` plays one of them again."""

import os
import shutil
import signal
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path

from tools.trixie import CannotError
from tools.virtual_pi import image, report
from tools.virtual_pi.bench import Bench
from tools.virtual_pi.machine import Disks
from tools.virtual_pi.scenes import cutting, diagnosing, enduring, gaming, installing, touching
from tools.virtual_pi.stage import Stage

SCENES: dict[str, Callable[[Stage], None]] = {
    "install": installing.install,
    "update": installing.update,
    "doctor": diagnosing.doctor,
    "touch": touching.touch,
    "games": gaming.games,
    "cuts": cutting.replayed,
    "kills": cutting.killed,
    "power": cutting.comes_back,
    "evening": enduring.evening,
}
"""In this order: all but the first begin where it ended."""
MAKING = {"install", "update"}
"""Those that make what the others begin with."""


def main() -> int:
    parser = ArgumentParser("make virtual-pi", description="A guest with a real kernel, used as a Pi is.")
    parser.add_argument("--scene", choices=tuple(SCENES), action="append", help="only this one (default: all of them)")
    said = parser.parse_args()
    try:
        disk = image.made()
    except CannotError as error:
        print(f"companion: not on this machine: {error}", file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no guest is left behind
    wanted = said.scene or list(SCENES)
    if MAKING & set(wanted):
        image.card(disk)
    well = [_play(name, disk) for name in wanted]
    report.write(disk, tuple(SCENES))
    return 0 if all(well) else 1


def _play(name: str, image: Path) -> bool:
    """On a copy of the disk: so each scene can be played again, and beside another. A maker's copy takes its place."""
    with tempfile.TemporaryDirectory(prefix=f"{name}-", dir=image) as folder:
        own = Path(shutil.copy(image / "disk.qcow2", folder))
        bench = Bench(Path(folder))
        try:
            well = _played(name, image, Stage(Disks(image, own, image / "card.raw"), bench))
        finally:
            bench.close()
        if well and name in MAKING:
            own.replace(image / "disk.qcow2")
    return well


def _played(name: str, image: Path, stage: Stage) -> bool:
    title = (SCENES[name].__doc__ or "").strip()
    print(f"{name}: {title}", flush=True)
    began_s, spent_s = time.monotonic(), _spent_s()
    problem = ""
    try:
        SCENES[name](stage)
    except (AssertionError, OSError, RuntimeError) as error:
        problem = str(error) or repr(error)
        print(f"FAILED    {problem}", file=sys.stderr, flush=True)
    took_s, used_s = time.monotonic() - began_s, _spent_s() - spent_s
    print(f"          {took_s:.0f} s, of which {used_s:.0f} s at the processor", flush=True)
    report.keep(image, report.Played(name, title, stage.sights, problem, used_s))
    return not problem


def _spent_s() -> float:
    """By this process and all that it has waited for: what a busy machine does besides does not count."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    sys.exit(main())
