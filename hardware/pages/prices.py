"""What the kits cost, part by part. These orders have not been placed: each figure is what usual shops ask, as far as we know.

Prices are in euros for one piece, with tax and without postage, from the cheapest usual shop to a dear one.
"""

from collections.abc import Iterable
from typing import NamedTuple

from hardware.pages.sources import PADS, bill

DATED = "November 2026"
STEP = 5
"""Totals are rounded outwards to so many euros."""


class Price(NamedTuple):
    low: float
    high: float

    def times(self, number: float) -> "Price":
        return Price(self.low * number, self.high * number)

    def __str__(self) -> str:
        low, high = int(self.low // STEP * STEP), int(-(-self.high // STEP) * STEP)
        return f"{low}–{high} €"


def total(prices: Iterable[Price]) -> Price:
    every = list(prices)
    return Price(sum(each.low for each in every), sum(each.high for each in every))


_RESISTOR = Price(0.08, 0.12)
PRICES: dict[str, Price] = {
    **{f"MFR-25FBF52-{ohms}": _RESISTOR for ohms in ("100R", "330R", "470R", "680R", "1K", "2K2", "8K2")},
    "4606X-101-103LF": Price(0.6, 1.0),
    "C320C104K5R5TA": Price(0.25, 0.4),
    "C320C105K5R5TA": Price(0.4, 0.6),
    "ECA-1HM100": Price(0.2, 0.3),
    "ECA-1EM470": Price(0.2, 0.35),
    "MF-R110": Price(0.5, 0.8),
    "BAT85-TAP": Price(0.3, 0.45),
    "1N4148": Price(0.05, 0.1),
    "WP7113YD": Price(0.2, 0.4),
    "WP710A10LGD": Price(0.2, 0.4),
    "BC33740TA": Price(0.25, 0.4),
    "MCP1826S-3302E/AB": Price(1.6, 2.2),
    "SN74LVC245AN": Price(1.2, 1.8),
    "CD74HCT125E": Price(0.7, 1.1),
    "A000005": Price(21.0, 25.0),
    "RFID-RC522 (MFRC522), 60 × 39.5 mm": Price(5.0, 7.5),
    "61201421721": Price(1.3, 1.9),
    "USB-B1HSB6": Price(0.9, 1.4),
    "CMI-1295IC-0585T": Price(2.5, 3.5),
    "B3F-4055": Price(0.5, 0.9),
    "107020000 (Grove Buzzer, version 1.1 or later)": Price(2.0, 3.5),
    "any with the 40-pin header": Price(19.0, 25.0),
    "SSW-115-01-T-S": Price(1.8, 2.6),
    "SSW-108-01-T-S": Price(1.1, 1.7),
    "ED20DT": Price(0.4, 0.8),
    "ED14DT": Price(0.3, 0.6),
}
"""Part number → one of it. The Pi is a Zero 2 W; a Pi 4 or 5 costs 30 to 60 € more."""
CLONES: dict[str, Price] = {
    "A000005": Price(4.0, 7.0),
    "RFID-RC522 (MFRC522), 60 × 39.5 mm": Price(2.0, 3.5),
    "SSW-115-01-T-S": Price(0.3, 0.6),
    "SSW-108-01-T-S": Price(0.2, 0.4),
    "61201421721": Price(0.3, 0.6),
    "B3F-4055": Price(0.1, 0.25),
    "CMI-1295IC-0585T": Price(0.5, 1.2),
    "107020000 (Grove Buzzer, version 1.1 or later)": Price(0.8, 1.5),
    "61201423021": Price(0.25, 0.5),
    "3365/14": Price(0.8, 1.5),
}
"""The same without a name on it: Nano, readers, sockets, plugs, buttons, buzzers and flat cable."""
CABLE = {"61201423021": 2 * PADS, "3365/14": PADS}
"""Plugs, and metres of flat cable."""
CABLE_PRICES = {"61201423021": Price(1.0, 1.5), "3365/14": Price(2.5, 4.0)}
BESIDES: dict[str, dict[str, Price]] = {
    "kit-one": {
        "the Pi's supply": Price(9.0, 12.0),
        "a card": Price(7.0, 10.0),
        "jumper wires": Price(3.0, 5.0),
        "perfboard": Price(1.5, 3.0),
        "screws and inserts": Price(2.5, 5.0),
        "filament": Price(2.0, 3.0),
    },
    "full-kit": {
        "the boards, two orders with postage": Price(25.0, 45.0),
        "supply and adapter": Price(11.0, 15.0),
        "USB cable": Price(2.0, 4.0),
        "screws and inserts": Price(6.0, 11.0),
        "filament": Price(11.0, 14.0),
    },
}


LAPTOP = Price(10.0, 45.0)
"""A PN532 board, or an ACR122U."""
STICKERS = Price(10.0, 20.0)
"""A hundred of them: enough for any game."""


def parts(kit: str, clones: bool) -> list[Price]:
    known = PRICES | (CLONES if clones else {})
    return [known[line.number].times(line.count) for line in bill(kit)]


def kit_one(clones: bool = False) -> Price:
    return total([*parts("kit-one", clones), *BESIDES["kit-one"].values()])


def satellite_and_pads(clones: bool = False) -> Price:
    """All of the full kit but the centre."""
    cable = CABLE_PRICES | ({name: CLONES[name] for name in CABLE_PRICES} if clones else {})
    return total(
        [
            *parts("satellite", clones),
            *(each.times(PADS) for each in parts("pad", clones)),
            *(cable[name].times(number) for name, number in CABLE.items()),
            *BESIDES["full-kit"].values(),
        ]
    )


def full_kit(clones: bool = False) -> Price:
    """With kit one as its centre."""
    return total([kit_one(clones), satellite_and_pads(clones)])


def comparison() -> str:
    """The line of hardware/README.md."""
    return (
        f"| price range, {DATED} | nothing | nothing | {LAPTOP} and {STICKERS} for stickers "
        f"| {kit_one()} (with clones {kit_one(clones=True)}) | {full_kit()}, the centre in it (with clones {full_kit(clones=True)}) |"
    )


def told(named: Price, clones: Price) -> str:
    """The sentence of a page."""
    return (
        f"Price: {named} with the parts that are named here; {clones} with clones of Nano, readers, sockets, plugs, buttons, buzzer and cable "
        f"(they should work as well; none has been tried). Estimated in {DATED} from what usual shops ask, without postage and stickers; "
        f"part by part in [prices.py](../pages/prices.py)."
    )
