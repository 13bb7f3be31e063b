"""`python -m hardware.circuits [FOLDER]`: ERC over all circuits, then their netlists and bills."""

import sys
from pathlib import Path

from hardware.circuits import kit_one, pad, satellite
from hardware.circuits.bill import bill, to_csv
from hardware.circuits.netlist import to_json

MADE = Path(__file__).parent / "made"


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for source in (kit_one, satellite, pad):
        draft = source.draw()
        for line in draft.complaints():
            wrong += 1
            print(f"{draft.name}: {line}", file=sys.stderr)
        netlist = draft.netlist()
        (folder / f"{netlist.name}.json").write_text(to_json(netlist) + "\n", encoding="utf-8")
        (folder / f"{netlist.name}-bill.csv").write_text(to_csv(bill(netlist)), encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else MADE))
