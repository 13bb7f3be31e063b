"""`python3 -m hardware.boards.inside FOLDER`: both boards and all that a board house gets. Runs where KiCad 9 is."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hardware.boards import drc
from hardware.boards.kicad import FOOTPRINTS, Maker, assembly
from hardware.boards.layout import LAYOUTS, Layout
from hardware.boards.timeless import pack, timeless
from hardware.circuits.netlist import from_json

CIRCUITS = Path(__file__).parents[1] / "circuits" / "made"
GERBER = "F.Cu,B.Cu,F.Mask,B.Mask,F.Silkscreen,B.Silkscreen,Edge.Cuts"


def main(folder: Path) -> int:
    _settings()
    for name, make_layout in LAYOUTS.items():
        layout = make_layout()
        target = folder / name
        target.mkdir(parents=True, exist_ok=True)
        board = target / f"{name}.kicad_pcb"
        left = Maker(from_json(CIRCUITS / f"{name}.json"), layout, board).make()
        if left:
            print(f"{name}: no way was found for {', '.join(left)}", file=sys.stderr)
            return 1
        if not _checked(board, layout, target / "drc.json"):
            return 1
        _exported(board, target)
        _drawn(board, layout, target / f"{name}-assembly.pdf")
        board.with_suffix(".kicad_prl").unlink(missing_ok=True)  # what was looked at last; the rules stay
    return 0


def _settings() -> None:
    """DRC compares each footprint with its library, and has to find that. Two threads would paint by chance."""
    os.environ["KICAD9_FOOTPRINT_DIR"] = str(FOOTPRINTS)
    settings = Path.home() / ".config" / "kicad" / "9.0"
    settings.mkdir(parents=True, exist_ok=True)
    shutil.copy(FOOTPRINTS.parent / "template" / "fp-lib-table", settings)
    (settings / "kicad_advanced").write_text("MaximumThreads=1\n", encoding="utf-8")


def _checked(board: Path, layout: Layout, report: Path) -> bool:
    """Nothing unconnected, no error, and no warning but those that are meant (hardware/boards/drc.py)."""
    _cli("drc", "--format", "json", "--severity-error", "--severity-warning", "-o", str(report), str(board))
    found = json.loads(report.read_text(encoding="utf-8"))
    found.pop("source", None)
    found.pop("date", None)
    found["violations"].sort(key=lambda each: (each["type"], [item["uuid"] for item in each["items"]]))
    report.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    complaints = drc.complaints(found, layout)
    for complaint in complaints:
        print(f"{board.name}: {complaint}", file=sys.stderr)
    return not complaints


def _exported(board: Path, target: Path) -> None:
    name = board.stem
    gerber = target / "gerber"
    _cli("export", "gerbers", "-o", f"{gerber}/", "--layers", GERBER, str(board))
    _cli("export", "drill", "--excellon-separate-th", "-o", f"{gerber}/", str(board))
    pack(gerber, target / f"{name}-gerber.zip")
    shutil.rmtree(gerber)
    _cli("export", "pos", "--format", "csv", "--units", "mm", "-o", str(target / f"{name}-positions.csv"), str(board))
    for side in ("top", "bottom"):
        picture = target / f"{name}-{side}.png"
        size = ("--width", "900", "--height", "900", "--background", "opaque")
        _cli("render", "--side", side, *size, "-o", str(picture), str(board))


def _drawn(board: Path, layout: Layout, target: Path) -> None:
    """Where the parts go: what is printed on the board, and its holes."""
    with tempfile.TemporaryDirectory() as folder:
        sheet = Path(folder) / board.name
        assembly(board, layout, sheet)
        layers = ("--black-and-white", "--layers", "F.Silkscreen,F.Mask,Edge.Cuts")
        _cli("export", "pdf", *layers, "-o", str(target), str(sheet))
    target.write_bytes(timeless(target.read_bytes()))


def _cli(*words: str) -> None:
    done = subprocess.run(["kicad-cli", "pcb", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"kicad-cli {' '.join(words[:3])}: {done.stdout[-1000:]}{done.stderr[-1000:]}")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
