"""The bill of a circuit: what to order, how many, and what does as well."""

import csv
import io
from typing import NamedTuple

from hardware.circuits.catalogue import GATES, NANO, READER, SHIFTER, Kind
from hardware.circuits.netlist import Netlist


class BillLine(NamedTuple):
    refs: str
    count: int  # type: ignore[assignment]  # a tuple's own count() is not needed here
    value: str
    maker: str
    number: str
    substitute: str
    footprint: str


HEAD = ("references", "count", "value", "manufacturer", "part number", "substitute", "footprint")
SOCKETS = {
    NANO: (2, "socket, 1 × 15, 2.54 mm", "Samtec", "SSW-115-01-T-S", "any"),
    READER: (1, "socket, 1 × 8, 2.54 mm", "Samtec", "SSW-108-01-T-S", "any, 8.5 mm high"),
    SHIFTER: (1, "socket, DIP-20", "On Shore Technology", "ED20DT", "any, 7.62 mm wide"),
    GATES: (1, "socket, DIP-14", "On Shore Technology", "ED14DT", "any, 7.62 mm wide"),
}
"""What a part is put into: (how many, what, maker, number, substitute)."""

LOOSE = "kit-one"
"""Its reader hangs on jumper wires: they go onto the module's own pins."""


def bill(netlist: Netlist) -> list[BillLine]:
    """Every part once; same parts on one line; test points are holes and cost nothing."""
    kinds: dict[Kind, list[str]] = {}
    for ref, part in netlist.parts.items():
        if part.kind.prefix != "TP":
            kinds.setdefault(part.kind, []).append(ref)
    lines = []
    for kind, refs in kinds.items():
        order = sorted(refs, key=_natural)
        lines.append(
            BillLine(" ".join(order), len(refs), kind.value, kind.maker, kind.number, kind.substitute, kind.footprint)
        )
        if kind in SOCKETS and netlist.name != LOOSE:
            count, what, maker, number, substitute = SOCKETS[kind]
            lines.append(BillLine(f"for {' '.join(order)}", count * len(refs), what, maker, number, substitute, ""))
    return lines


def _natural(ref: str) -> tuple[str, int]:
    letters = ref.rstrip("0123456789")
    return letters, int(ref[len(letters) :] or 0)


def to_csv(lines: list[BillLine]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    writer.writerows(lines)
    return out.getvalue()


def from_csv(text: str) -> list[BillLine]:
    head, *rows = csv.reader(io.StringIO(text))
    if tuple(head) != HEAD:
        raise ValueError(f"a bill has the columns {', '.join(HEAD)}")
    return [BillLine(refs, int(count), *rest) for refs, count, *rest in rows]
