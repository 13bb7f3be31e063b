"""`make board`: both boards by KiCad 9, in a Debian 13 of its own (tools/trixie.py makes it; needs root)."""

import shutil
import sys
import tempfile
from pathlib import Path

from hardware.boards import manifest
from hardware.circuits.bill import bill, to_csv
from hardware.circuits.netlist import from_json
from tools import trixie

PACKAGES = ("python3", "kicad", "kicad-footprints")
HARDWARE = Path(__file__).parents[1]


def main() -> int:
    try:
        kept = trixie.archive(PACKAGES)
    except trixie.CannotError as error:
        print(f"companion: not on this machine: {error}", file=sys.stderr)
        return 1
    made_from = manifest.sources()
    with tempfile.TemporaryDirectory(prefix="companion-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        trixie.unpack(kept, root)
        shutil.copytree(HARDWARE, root / "src" / "hardware", ignore=lambda _, names: {"made"} & set(names))
        circuits = "circuits/made"
        shutil.copytree(HARDWARE / circuits, root / "src" / "hardware" / circuits)
        print(trixie.inside(root, "python3", "-m", "hardware.boards.inside", "/src/out"), end="")
        shutil.rmtree(manifest.MADE, ignore_errors=True)
        shutil.copytree(root / "src" / "out", manifest.MADE)
    for name in ("satellite", "pad"):
        lines = to_csv(bill(from_json(HARDWARE / circuits / f"{name}.json")))
        (manifest.MADE / name / f"{name}-bill.csv").write_text(lines, encoding="utf-8")
    manifest.write(made_from)
    return 0


if __name__ == "__main__":
    sys.exit(main())
