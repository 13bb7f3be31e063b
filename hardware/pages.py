"""`python -m hardware.pages`: the pages that take a maker through each kit, in hardware/build/.

Words are written here; every figure comes from a source: parts from the bills, volts from what ngspice said, lengths from
the boxes, stickers from the printed games, and the doctor's words from the doctor.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.doctor.readers import CHIPS
from companion.gamekit import discovery
from companion.gamekit.parts import paper_of
from hardware import dimensions as d
from hardware.boxes import parameters as p
from hardware.boxes.solids import load
from hardware.circuits.bill import Line, from_csv
from hardware.circuits.netlist import Netlist, from_json

HERE = Path(__file__).parent
BUILD = HERE / "build"
MADE = HERE / "circuits" / "made"
GAMES = ("lascaux", "sioux", "darwinci", "carnuta")
PADS = 5
PLA = 1.24
"""Grams in a cubic centimetre."""
CHIP = CHIPS[0x92]
"""What the usual RC522 calls itself."""
HEAD = "<!-- Made by `python -m hardware.pages`: change that, and run it. -->\n"
NOT_BUILT = (
    "**Nobody has built this yet.** Volts are what [ngspice says](../proofs/figures.md) over all corners of supply, temperature "
    "and tolerance. Please fill in [docs/acceptance.md](../../docs/acceptance.md) when you have measured them."
)


# --- Figures ------------------------------------------------------------------------------------------------------


def bill(kit: str) -> list[Line]:
    return from_csv((MADE / f"{kit}-bill.csv").read_text(encoding="utf-8"))


def netlist(kit: str) -> Netlist:
    return from_json(MADE / f"{kit}.json")


def joints(kit: str) -> int:
    """Legs that are soldered: all but the Pi's own header."""
    parts = netlist(kit).parts.values()
    return sum(len(part.kind.pins) for part in parts if part.kind.prefix != "TP" and "Raspberry" not in part.kind.value)


def figures() -> dict[str, str]:
    """What the simulation says, by what it is: the worst value."""
    text = (HERE / "proofs" / "figures.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \| .*\|$", text, re.MULTILINE)
    return {what: worst for what, worst, _limit in rows}


def grams(*parts: str) -> int:
    """Of PLA, if everything were solid: a slicer that fills it less needs less."""
    return round(sum(load(HERE / "boxes" / "made" / f"{part}.stl").volume for part in parts) / 1000 * PLA)


def stickers(game: str) -> int:
    known = discovery.find(game)
    box = known.parse_box(known.standin(), "the box that ships")
    return sum(piece.sticker is not None for piece in paper_of(game)(box, lambda message, context="": message))


# --- Pieces of pages ------------------------------------------------------------------------------------------------


def table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)).replace("|---", "|---") + " |" for line in lines)


def shopping(lines: list[Line], times: int = 1) -> Iterator[tuple[object, ...]]:
    for line in lines:
        yield line.count * times, line.value, f"{line.maker} {line.number}".replace("(generic) ", ""), line.substitute


def sticker_rows() -> str:
    games = [(discovery.title(game), stickers(game)) for game in GAMES]
    return table(("game", "stickers"), games)


BUY = ("number", "part", "part number", "what does as well")
MEASURE = ("measure", "between", "the simulation says")


# --- A laptop and one reader ----------------------------------------------------------------------------------------


def laptop() -> str:
    return f"""{HEAD}# A laptop and one reader: ten minutes, nothing is soldered

{NOT_BUILT}

## Shopping list

{
        table(
            ("number", "part", "what to know"),
            [
                (1, "PN532 board with USB, or an ACR122U", "a PN532 sees several tags at a time, an ACR122U one"),
                ("see below", "NTAG213 stickers, round, 25 mm", "other sizes work; the printed frames are for 25 mm"),
                (
                    1,
                    "the game, or paper",
                    "`companion print GAME` draws one ([tags.md](../../docs/tags.md#a-printed-box))",
                ),
            ],
        )
    }

{sticker_rows()}

## Steps

1. Set the switches of a PN532 to HSU (UART), usually both on 0. An ACR122U has none.
2. `make usb`, then `.venv/bin/companion play`. Plug the reader in: the start screen asks whether to play with it. Press `p`.
3. Ask the doctor: `.venv/bin/companion doctor`. Each line that begins with "problem" says what to do
   ([the usual reasons](../../docs/build-it.md#a-laptop-and-one-reader-ten-minutes)).
4. Put the stickers on, `companion enroll GAME`, `companion tags check GAME`.
5. Play.
"""


# --- Kit one --------------------------------------------------------------------------------------------------------


def kit_one() -> str:
    said = figures()
    low, high = (
        said["lamps and buzzer: lamp of kit one: enough to be seen"],
        "lamps and buzzer: lamp of kit one: current of a pin",
    )
    measures = [
        (
            "3.3 V, before the reader is plugged in",
            "pin 1 and pin 20 of the Pi",
            "3.15 to 3.45 V is what the proof assumes",
        ),
        ("the lamp, on", "in its wire, as a current", f"{low} to {said[high]}"),
        ("a button, released", "GPIO5 or GPIO6 and ground", "as much as pin 1 has, once the program runs"),
        ("a button, pressed", "the same", "below 0.1 V"),
    ]
    return f"""{HEAD}# Kit one, step by step: an afternoon

![The centre's box, opened](../boxes/made/centre.png)

{NOT_BUILT} Pins and reasons are in [kit-one.md](../kit-one.md).

## Shopping list

{table(BUY, shopping(bill("kit-one")))}

Besides: 16 jumper wires of at most 20 cm, a strip of perfboard ({p.STRIP.width:g} × {p.STRIP.height:g} mm) for buttons and lamp, screws M3 × {p.SCREW_LENGTH:g}
(nylon near the antenna), stickers ([how many](laptop.md#shopping-list)), {grams("centre-base", "pad-lid", "plunger", "plunger")} g of filament at most.

## Steps

1. **Print** [centre-base](../boxes/made/centre-base.stl), [pad-lid](../boxes/made/pad-lid.stl) and two
   [plungers](../boxes/made/plunger.stl), as they lie in the files, without supports. Any flat box without metal will do as well.
2. **Solder** {joints("kit-one")} joints: the header of the reader's module, buttons, lamp with its resistor, the buzzer's wires. The
   buttons sit {d.BUTTON_RED.x - d.BUTTON_GREEN.x:g} mm apart, the lamp in the middle, as on the [label](../labels.svg).
3. **Wire** it with the Pi switched off, [wire by wire](../harness/made/kit-one.svg); [the circuit](../circuits/made/kit-one.svg).

   ![Every wire of kit one](../harness/made/kit-one.svg)

4. **Measure** before you go on:

{_indented(table(MEASURE, measures))}

5. **Close the box.** The module lies on its four ledges, antenna up, {p.ANTENNA_TO_PIECE:.1f} mm under the face of the lid; wires leave
   through the opening at the back. Stick the label on.
6. `companion config`, then `companion doctor`. It should say:

       ok        reader of the centre: {CHIP} answers
       ok        green button of the centre: GPIO5 is up, as it should be while nobody presses
       ok        red button of the centre: GPIO6 is up, as it should be while nobody presses

   What else it may say, and the usual reasons, is in [build-it.md](../../docs/build-it.md#2-kit-one).
7. Hold a tag on the lid and ask again: "1 tag lies there". Then stickers, `companion enroll GAME`, and play.
"""


# --- The full kit ---------------------------------------------------------------------------------------------------


def full_kit() -> str:
    said = figures()
    volts = [
        (
            "5 V, all pads on",
            "TP1 and TP3 of the satellite",
            f"{said['supply: charger, five pads: 5 V at the Nano']} or more",
        ),
        (
            "3.3 V at the end of a metre",
            "3.3V and GND of a reader",
            f"{said['supply: charger, five pads: 3.3 V at a reader']} or more",
        ),
        ("3.3 V, at most", "the same", f"{said['supply: charger, five pads: 3.3 V, at most']}"),
        (
            "RST while the Nano's reset button is held",
            "wire 10 of a plug and ground",
            f"{said['reset and start: RESET while the Nano is in reset']} or less",
        ),
        (
            "a button that is down, its pad selected",
            "the green or red line and ground",
            f"{said['buttons: a button that is down, with its pad selected']} or less",
        ),
    ]
    return f"""{HEAD}# The full kit, step by step: a weekend

![A table with five pads](../boxes/made/table.png)

{NOT_BUILT} The centre is [kit one](kit-one.md); pins, cable and reasons are in [full-kit.md](../full-kit.md).

## Shopping list

The satellite, once:

{table(BUY, shopping(bill("satellite")))}

{PADS} pads (divide for fewer):

{table(BUY, shopping(bill("pad"), PADS))}

Besides: {PADS} [flat cables](../harness/made/pad-cable.svg) with 14 wires and a plug at each end, 0.2 to 1 m; a charger for 5 V and 1 A; a USB cable for
the Nano; four screws M3 × {p.SCREW_LENGTH:g} for each box (nylon for pads); at most {grams("pad-base", "pad-lid", "plunger", "plunger")} g of filament a pad and {grams("satellite-base", "satellite-lid")} g for the satellite; the two
[boards](../boards), or perfboard ([satellite](../perfboard/made/satellite.svg), [pad](../perfboard/made/pad.svg)).

## Steps

1. **Print** the boxes, as they lie in the files, without supports: [satellite-base](../boxes/made/satellite-base.stl),
   [satellite-lid](../boxes/made/satellite-lid.stl); for each pad [pad-base](../boxes/made/pad-base.stl), [pad-lid](../boxes/made/pad-lid.stl)
   and two [plungers](../boxes/made/plunger.stl), green and red.

   ![All parts](../boxes/made/parts.png)

2. **Solder the satellite**, {joints("satellite")} joints: low parts first, sockets for Nano and chips, plugs last. Nothing goes into the sockets yet.

   ![The satellite in layers](../boxes/made/satellite.png)

3. **Measure here.** Charger in: {said["supply: charger, five pads: 3.3 V, at most"]} at most between TP2 and TP3, and {said["supply: charger, five pads: 3.3 V at a reader"]} or
   more. If not, stop: a reader dies of 5 V. Then the chips, and measure again.
4. **Flash the Nano** while it is not in the board: `make -C firmware flash PORT=… SERIAL=1`
   ([firmware/README.md](../../firmware/README.md)).
5. **Solder one pad**, {joints("pad")} joints. Measure 3.3 V at its socket before the reader goes in.

   ![A pad in layers](../boxes/made/pad.png)

6. **Measure** with that pad, then with all of them:

{_indented(table(MEASURE, volts))}

7. `companion config --kit full --force`, then `companion doctor`. It should say "satellite: answers" and, for each pad,
   "its reader works". The other pads come one at a time.
8. **Close the boxes.** Board on its posts, reader on its socket, plungers from below, lid on, four screws from below. The antenna is then
   {p.ANTENNA_TO_PIECE:.1f} mm under the face of the lid. The satellite's lid has one dot beside the plug of pad 0, five beside that of pad 4.
9. Labels on, stickers on, `companion enroll GAME`, and play.
"""


def _indented(text: str) -> str:
    return "\n".join("   " + line for line in text.splitlines())


PAGES = {"laptop": laptop, "kit-one": kit_one, "full-kit": full_kit}


def main() -> None:
    BUILD.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        (BUILD / f"{name}.md").write_text(page(), encoding="utf-8")
        print(BUILD / f"{name}.md")


if __name__ == "__main__":
    main()
