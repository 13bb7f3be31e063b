"""`python -m hardware.schematics`: the sheets as KiCad files, as PDF, and what KiCad reads out of them. As root."""

import shutil
import sys
import tempfile
from pathlib import Path

from hardware.boards.__main__ import PACKAGES
from hardware.boards.timeless import timeless
from hardware.schematics.files import MADE, nets_of, sources, write
from tools import trixie


def main() -> int:
    try:
        kept = trixie.archive(PACKAGES)
    except trixie.CannotError as error:
        print(f"companion: not on this machine: {error}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="companion-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        trixie.unpack(kept, root)
        return made(root)


def made(root: Path) -> int:
    """In this Debian with KiCad: everything into `made`."""
    inside = root / "src" / "schematics"
    shutil.rmtree(MADE, ignore_errors=True)
    MADE.mkdir(parents=True)
    for name, files in sources().items():
        shutil.rmtree(inside, ignore_errors=True)
        inside.mkdir(parents=True)
        for file, text in files.items():
            (inside / file).write_text(text, encoding="utf-8")
            (MADE / file).write_text(text, encoding="utf-8")
        sheet = f"schematics/{name}.kicad_sch"
        trixie.inside(root, "kicad-cli", "sch", "export", "pdf", "-o", f"schematics/{name}.pdf", sheet)
        trixie.inside(
            root, "kicad-cli", "sch", "export", "netlist", "--format", "kicadxml", "-o", "schematics/net.xml", sheet
        )
        (MADE / f"{name}.pdf").write_bytes(timeless((inside / f"{name}.pdf").read_bytes()))
        write(MADE / f"{name}-nets.json", nets_of((inside / "net.xml").read_text(encoding="utf-8")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
