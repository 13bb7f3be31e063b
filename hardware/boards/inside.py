"""`python3 -m hardware.boards.inside FOLDER`: both boards and all that a board house gets. Runs where KiCad 9 is."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from hardware.boards.kicad import FOOTPRINTS, Maker
from hardware.boards.layout import LAYOUTS
from hardware.circuits.netlist import from_json

CIRCUITS = Path(__file__).parents[1] / "circuits" / "made"
GERBER = "F.Cu,B.Cu,F.Mask,B.Mask,F.Silkscreen,B.Silkscreen,Edge.Cuts"


def main(folder: Path) -> int:
    _libraries()
    for name, layout in LAYOUTS.items():
        target = folder / name
        target.mkdir(parents=True, exist_ok=True)
        board = target / f"{name}.kicad_pcb"
        left = Maker(from_json(CIRCUITS / f"{name}.json"), layout(), board).make()
        if left:
            print(f"{name}: no way was found for {', '.join(left)}", file=sys.stderr)
            return 1
        if not _checked(board, target / "drc.json"):
            return 1
        _exported(board, target)
        board.with_suffix(".kicad_prl").unlink(missing_ok=True)  # what was looked at last; the rules stay
    return 0


def _libraries() -> None:
    """DRC compares each footprint with its library, and has to find that."""
    os.environ["KICAD9_FOOTPRINT_DIR"] = str(FOOTPRINTS)
    settings = Path.home() / ".config" / "kicad" / "9.0"
    settings.mkdir(parents=True, exist_ok=True)
    shutil.copy(FOOTPRINTS.parent / "template" / "fp-lib-table", settings)


def _checked(board: Path, report: Path) -> bool:
    """Without an error and with nothing unconnected. Warnings are kept in the report."""
    _cli("drc", "--format", "json", "--severity-error", "--severity-warning", "-o", str(report), str(board))
    found = json.loads(report.read_text(encoding="utf-8"))
    errors = [each for each in found["violations"] if each["severity"] == "error"] + found["unconnected_items"]
    for each in errors:
        print(
            f"{board.name}: {each['description']}: {[item['description'] for item in each['items']]}", file=sys.stderr
        )
    found.pop("source", None)
    found.pop("date", None)
    report.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return not errors


def _exported(board: Path, target: Path) -> None:
    name = board.stem
    gerber = target / "gerber"
    _cli("export", "gerbers", "-o", f"{gerber}/", "--layers", GERBER, str(board))
    _cli("export", "drill", "-o", f"{gerber}/", str(board))
    with zipfile.ZipFile(target / f"{name}-gerber.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(gerber.iterdir()):
            packed.write(path, path.name)
    shutil.rmtree(gerber)
    _cli("export", "pos", "--format", "csv", "--units", "mm", "-o", str(target / f"{name}-positions.csv"), str(board))
    sheets = ("--black-and-white", "--layers", "F.Fab,F.Mask,Edge.Cuts")
    _cli("export", "pdf", "--include-border-title", *sheets, "-o", str(target / f"{name}-assembly.pdf"), str(board))
    for side in ("top", "bottom"):
        picture = target / f"{name}-{side}.png"
        size = ("--width", "900", "--height", "900", "--background", "opaque")
        _cli("render", "--side", side, *size, "-o", str(picture), str(board))


def _cli(*words: str) -> None:
    done = subprocess.run(["kicad-cli", "pcb", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"kicad-cli {' '.join(words[:3])}: {done.stdout[-1000:]}{done.stderr[-1000:]}")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
