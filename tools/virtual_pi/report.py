"""What was seen, in plain words and with pictures: docs/virtual-pi.md, and a column of docs/acceptance.md.

Each scene's sights are kept beside the disk, so that one that is played again replaces its own and no other.
"""

import json
import os
import re
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tools.trixie import ROOT
from tools.virtual_pi.stage import Sight, today

PAGE = ROOT / "docs/virtual-pi.md"
ACCEPTANCE = ROOT / "docs/acceptance.md"
COLUMN = 5
"""Of the tables in docs/acceptance.md, counted from the bar at their left: "seen on a virtual Pi"."""
TIMES = "seen.json"
RUNS = {
    "once": "the disk made, the table installed and updated, once",
    "first": "everything, that included",
    "every": "everything from then on",
}
NEVER, NOT_SEEN = "–", "not seen"
HEAD = """\
# Seen on a virtual Pi

`make virtual-pi` (as root, on an x86-64 Debian; the first run downloads two Debians) boots a virtual machine, the
guest, with a real kernel under QEMU. It presents itself as a Pi 5: an arm64 Debian 13 with systemd on a Cortex-A76,
whose kernel has a Pi 5's pages of 16 KiB, with a panel, a header, an SPI bus and USB. Companion is installed in it by
its own `make install` and used as on a Pi. Above the kernel's character devices everything is what a Pi has; behind
them are a register-level RC522 and the satellite's compiled firmware on an emulated processor. It has one core of a
Pi's four. Volts, radio and the drivers of a Pi's own chips are not covered: [acceptance.md](acceptance.md) has what
only real parts can show.

Its processor is emulated, and slow. So that no time limit has to be relaxed for it, the guest's clock goes slower, too:
where the panel has to be drawn in time, five of our seconds are one of the guest's; fewer where no picture is needed.
The readers and the satellite keep the guest's time. Seconds are ours unless said to be the guest's.

The command writes this page. What the panel shows was read from a picture of it, letter by letter. Processor times are
those of everything that ran for a scene, the emulated processors included. The aim is ten minutes for the first run and
five from then on, on two idle cores. The update comes first, alone, then four of the other scenes run at a time
(`ARGS="--scene touch"` runs one scene). Scenes may be from different runs, each has its own record; only a run of all
of them without a failure has a line "everything" below, with the machine's load of the last fifteen minutes, this run
included. What was measured:
"""


class Played(NamedTuple):
    """A scene, and what came of it."""

    name: str
    title: str
    sights: Sequence[Sight]
    problem: str
    used_s: float
    """At the processor…"""
    took_s: float
    """…and by the clock."""


def keep(folder: Path, played: Played) -> None:
    told = [sight._asdict() for sight in played.sights]
    said = played._asdict() | {
        "date": today(),
        "sights": told,
        "used_s": round(played.used_s),
        "took_s": round(played.took_s),
    }
    (folder / f"seen-{played.name}.json").write_text(json.dumps(said, indent=1))


def keep_time(folder: Path, name: str, took_s: float) -> None:
    """Of a whole run: with the load of the machine, without which it says nothing."""
    took = {"took_s": round(took_s), "cores": os.cpu_count(), "load": round(os.getloadavg()[2], 1)}
    (folder / TIMES).write_text(json.dumps(_kept_times(folder) | {name: took}))


def _kept_times(folder: Path) -> dict[str, Any]:
    return json.loads((folder / TIMES).read_text()) if (folder / TIMES).exists() else {}


def _kept(folder: Path, order: Sequence[str]) -> dict[str, Any]:
    paths = {name: folder / f"seen-{name}.json" for name in order}
    return {name: json.loads(path.read_text()) for name, path in paths.items() if path.exists()}


def write(folder: Path, order: Sequence[str]) -> None:
    """`order`: of the scenes. A page with scenes that were never played on this disk stays: it tells of more."""
    kept = _kept(folder, order)
    if others := not_played(PAGE.read_text(encoding="utf-8"), kept, order):
        print(f"docs/virtual-pi.md stays as it is: it has {', '.join(others)}, which this disk has not seen")
        return
    PAGE.write_text("\n".join((HEAD, *_times(folder, kept), *_page(kept), *_not_seen(kept, order))), encoding="utf-8")
    seen: dict[str, str] = {}
    for scene in kept.values():
        for sight in scene["sights"]:
            if line := sight["line"]:
                words = sight["short"] or sight["words"]
                seen[line] = f"{seen[line]} {words}" if line in seen else f"{scene['date']}: {words}"
    ACCEPTANCE.write_text(filled_in(ACCEPTANCE.read_text(encoding="utf-8"), seen), encoding="utf-8")


def not_played(page: str, kept: Container[str], order: Sequence[str]) -> list[str]:
    return [name for name in order if f"\n## {name.capitalize()}\n" in page and name not in kept]


def _times(folder: Path, kept: dict[str, Any]) -> Iterator[str]:
    """How long the command takes, as far as it has been seen."""
    for name, words in RUNS.items():
        if name in (times := _kept_times(folder)):
            took = times[name]
            yield f"- {words}: {_minutes(took['took_s'])} on {took['cores']} cores with a load of {took['load']}"
    others = [scene for name, scene in kept.items() if name != "install"]
    used_s, took_s = (sum(scene[key] for scene in others) for key in ("used_s", "took_s"))
    yield f"- all scenes but install, added up: {_minutes(used_s)} at the processor, {_minutes(took_s)} by the clock"
    yield ""


def _minutes(seconds: float) -> str:
    return "{}:{:02} minutes".format(*divmod(round(seconds), 60))


def _page(kept: dict[str, Any]) -> Iterator[str]:
    for name, scene in kept.items():
        yield f"## {name.capitalize()}\n\n{scene['title']}\n\n{_when(scene)}.\n"
        for sight in scene["sights"]:
            yield f"- {sight['words']}"
            if sight["picture"]:
                yield f"\n  ![{name}]({sight['picture']})\n"
        if scene["problem"]:
            yield f"- **Failed**: {scene['problem'].splitlines()[0]}"
        yield ""


def _when(scene: dict[str, Any]) -> str:
    return f"{scene['date']}, {scene['used_s']} s at the processor, {scene['took_s']} s by the clock"


def _not_seen(kept: dict[str, Any], order: Sequence[str]) -> Iterator[str]:
    """Scenes without a record are listed, too, so that the page claims no more than was seen."""
    missing = [name for name in order if name not in kept]
    if missing:
        yield f"## Not seen yet\n\nThese scenes have not come to their end: {', '.join(missing)}.\n"


def filled_in(page: str, seen: dict[str, str]) -> str:
    """The page with what was seen in its column, in the lines that begin with these names. A line whose record is gone
    says so."""

    def line(found: re.Match[str]) -> str:
        cells = found[0].split("|")
        if found[1] in seen:
            cells[COLUMN] = f" {seen[found[1]].replace('|', '/')} "
        elif cells[COLUMN].strip() != NEVER:
            cells[COLUMN] = f" {NOT_SEEN} "
        return "|".join(cells)

    return re.sub(r"^\| ([A-Z]\d+) \|.*$", line, page, flags=re.MULTILINE)
