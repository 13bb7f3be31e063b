"""The scenes, and the report of what was seen. `--scene doctor` plays one of them again."""

import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

from tools.trixie import CannotError
from tools.virtual_pi import image, report
from tools.virtual_pi.bench import Bench
from tools.virtual_pi.machine import Disks
from tools.virtual_pi.scenes import cutting, diagnosing, enduring, flashing, gaming, installing, touching
from tools.virtual_pi.stage import Stage

SCENES: dict[str, Callable[[Stage], None]] = {
    "install": installing.install,
    "update": installing.update,
    "kills": cutting.killed,
    "cuts": cutting.replayed,
    "doctor": diagnosing.doctor,
    "touch": touching.touch,
    "evening": enduring.evening,
    "power": cutting.comes_back,
    **{game: gaming.whole(game) for game in gaming.SEEDS},
    "card": flashing.from_a_card,
}
"""Those that make what the others begin with; then the longest first by the clock, roughly: some of them mostly wait
for a guest's slow one, and the others fill in."""
MAKING = ("install", "update")
BY_NAME = ("card",)
"""Played only if it is named: it fetches a system's packages, and sets up a whole one under emulation."""
BESIDE = 4
"""So many scenes are played beside each other: often one waits for its guest's clock."""


def main() -> int:
    parser = ArgumentParser("make virtual-pi", description="A guest with a real kernel, used as a Pi is.")
    parser.add_argument("--scene", choices=tuple(SCENES), action="append", help="only this one (default: all of them)")
    said = parser.parse_args()
    began_s, is_first = time.monotonic(), not image.is_fetched()
    try:
        disk = image.made()
    except CannotError as error:
        print(f"companion: not on this machine: {error}", file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, _leave)
    wanted = said.scene or [
        name for name in SCENES if name not in BY_NAME and (name != "install" or not installing.is_done(disk))
    ]
    well = _make(disk, [name for name in MAKING if name in wanted])
    if well and is_first and set(MAKING) <= set(wanted):
        report.keep_time(disk, "once", time.monotonic() - began_s)
    others = [name for name in SCENES if name in wanted and name not in MAKING]
    if well and others:
        with ProcessPoolExecutor(BESIDE) as beside:
            well = all([*beside.map(_play_beside, others, repeat(disk))])
    if well and not said.scene and (is_first or "install" not in wanted):
        report.keep_time(disk, "first" if is_first else "every", time.monotonic() - began_s)
    report.write(disk, tuple(SCENES))
    return 0 if well else 1


def _make(disk: Path, scenes: Sequence[str]) -> bool:
    """What the others begin with. Without it they are not played."""
    if scenes or not (disk / "card.raw").exists():
        image.card(disk)
    return all(_play(name, disk) for name in scenes)


def _leave(*_: object) -> None:
    """So that no guest is left behind, here or beside."""
    for child in multiprocessing.active_children():
        child.terminate()
    sys.exit(1)


def _play_beside(name: str, made: Path) -> bool:
    """Who is told to leave does so: a pool would rather have them play the next scene."""
    try:
        return _play(name, made)
    except (SystemExit, KeyboardInterrupt):
        os._exit(1)


def _play(name: str, made: Path) -> bool:
    """On a copy of the disk: so each scene can be played again, and beside another. A maker's copy takes its place."""
    with tempfile.TemporaryDirectory(prefix=f"{name}-", dir=made) as folder:
        own = Path(shutil.copy(made / "disk.qcow2", folder))
        disks = Disks(made, image.workshop(made), own, made / "card.raw")
        well = _played(name, made, Stage(name, disks, Bench(Path(folder))))
        if well and name in MAKING:
            own.replace(made / "disk.qcow2")
    return well


def _played(name: str, made: Path, stage: Stage) -> bool:
    title = (SCENES[name].__doc__ or "").strip()
    print(f"{name}: {title}", flush=True)
    began_s, spent_s = time.monotonic(), _spent_s()
    problem = ""
    try:
        SCENES[name](stage)
    except (AssertionError, OSError, RuntimeError) as error:
        problem = str(error) or repr(error)
        print(f"{name} FAILED: {problem}", file=sys.stderr, flush=True)
    finally:
        stage.bench.close()  # only then its satellite's time is known
    took_s, used_s = time.monotonic() - began_s, _spent_s() - spent_s
    print(f"{name:>9} {took_s:.0f} s, of which {used_s:.0f} s at the processor", flush=True)
    report.keep(made, report.Played(name, title, stage.sights, problem, used_s, took_s))
    return not problem


def _spent_s() -> float:
    """By this process and all that it has waited for: what a busy machine does besides does not count."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    sys.exit(main())
