"""From which source the boards were made: a sum of each file that decides how they look, and of each that was made."""

import hashlib
import json
from pathlib import Path

HARDWARE = Path(__file__).parents[1]
MADE = Path(__file__).parent / "made"
MANIFEST = MADE / "manifest.json"
SOURCES = (
    "dimensions.py",
    "circuits/made/pad.json",
    "circuits/made/satellite.json",
    "boards/layout.py",
    "boards/routing.py",
    "boards/kicad.py",
    "boards/inside.py",
    "boards/drc.py",
    "boards/timeless.py",
)


def sum_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def sources(root: Path = HARDWARE) -> dict[str, str]:
    return {name: sum_of(root / name) for name in SOURCES}


def results(made: Path = MADE) -> dict[str, str]:
    files = sorted(path for path in made.rglob("*") if path.is_file() and path != made / "manifest.json")
    return {path.relative_to(made).as_posix(): sum_of(path) for path in files}


def write(made_from: dict[str, str], made: Path = MADE) -> None:
    content = {"sources": made_from, "made": results(made)}
    (made / "manifest.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def stale(root: Path = HARDWARE, made: Path = MADE) -> list[str]:
    """What has changed since the boards were made. Empty: they are those of this source."""
    before = json.loads((made / "manifest.json").read_text(encoding="utf-8"))
    now = {"sources": sources(root), "made": results(made)}
    return [
        name
        for kind in ("sources", "made")
        for name in sorted(before[kind].keys() | now[kind].keys())
        if before[kind].get(name) != now[kind].get(name)
    ]
