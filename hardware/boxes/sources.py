"""What the parts in `made/` were made from: a stamp over all sources, and the parts themselves."""

import hashlib
from pathlib import Path

from hardware.boxes import parameters
from hardware.boxes.checks import PARTS
from hardware.boxes.solids import Solid, in_place, load

HERE = Path(__file__).parent
MADE = HERE / "made"
STAMP = MADE / "sources.sha256"


def stamp() -> str:
    """Over the measures and every source: another one, and the parts have to be made anew."""
    texts = [parameters.scad(), *(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("[!p]*.scad")))]
    texts += [(HERE / f"{name}.scad").read_text(encoding="utf-8") for name in ("pad", "plunger")]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def parts_made() -> dict[str, Solid]:
    """Every part as it sits in its box."""
    return {
        name: in_place(load(MADE / f"{name}.stl"), lid_top=kind.lid_top, bottom=kind.bottom)
        for name, kind in PARTS.items()
    }
