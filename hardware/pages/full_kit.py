"""The full kit: the satellite and its pads."""

from companion.config import kit_table
from companion.devices.finding import told
from companion.devices.satellite import check as doctors
from companion.devices.satellite.wire import Welcome
from companion.table.signals import LinkUp
from hardware import dimensions as d
from hardware.boards import steps
from hardware.boxes import parameters as p
from hardware.circuits.catalogue import WIRES
from hardware.harness.cables import LONGEST, SHORTEST, pad_cable
from hardware.pages import estimates, prices
from hardware.pages.pieces import (
    BUY,
    BUY_AND_PLACE,
    HEAD,
    MEASURE,
    NOT_BUILT,
    Row,
    indented,
    shopping_and_places,
    table,
    word,
)
from hardware.pages.sources import (
    PADS,
    SCREW,
    Bound,
    bill,
    board,
    count,
    defined,
    figures,
    grams,
    hole_of,
    joints,
    leg_at,
    netlist,
)
from hardware.proofs.models import CHARGER_AMPERE, CHARGER_VOLT, SHORT_OHMS, SUPPLY, SUPPLY_NAME

OPEN_FUSE = 1.0
"""Ohms: a fuse that is well has a quarter of it, and the rest are the wires of the meter."""
SERIAL = 1
"""The number that the Nano gets when it is flashed."""
LEG_1 = {
    "K": "the ring of a diode, the short leg of a lamp",
    "+": "plus of the buzzer, the long leg of an electrolytic capacitor",
    "COMMON": "the dot of a resistor network",
}
"""Name of leg 1 → how one knows it."""


# --- What to buy ----------------------------------------------------------------------------------------------------


def cable_rows() -> list[Row]:
    """The flat cables, from the harness."""
    harness = pad_cable()
    (cable,) = harness["cables"].values()
    plugs = list(harness["connectors"].values())
    plug = plugs[0]
    return [
        (
            PADS * len(plugs),
            plug["type"],
            f"{plug['manufacturer']} {plug['mpn']}",
            f"any for {len(WIRES)} wires with a notch",
        ),
        (
            f"{PADS} × {SHORTEST:g} to {LONGEST:g} m",
            f"{cable['type']}, {len(WIRES)} wires, {cable['gauge']}",
            f"{cable['manufacturer']} {cable['mpn']}",
            "any flat cable of this pitch",
        ),
    ]


def besides() -> str:
    pad = ("pad-base", "pad-lid", "rest", *["plunger"] * count("pad", "SW"))
    taken = _supply("what all of it takes")
    return (
        f"Besides: a {SUPPLY_NAME} with an adapter from its plug to USB-B (all of it takes {taken} at most);\n"
        f"for {word(PADS - 1)} pads or fewer any charger for {CHARGER_VOLT:g} V and {CHARGER_AMPERE:g} A or more will do, with a short cable ([why](../full-kit.md#power)); a USB\n"
        f"cable that carries data, for the Nano; {len(d.PAD_HOLES)} screws {SCREW} × {p.SCREW_LENGTH:g} of steel for each box, and as many heat-set inserts\n"
        f"({SCREW}, {d.INSERT_LENGTH:g} mm long, for a hole of {d.INSERT_HOLE:g} mm); at most {grams(*pad)} g of filament a\n"
        f"pad and {grams('satellite-base', 'satellite-lid')} g for the satellite; a multimeter; the two boards ([how to order them](../boards/README.md)), or perfboard\n"
        "([satellite](../perfboard/made/satellite.svg), [pad](../perfboard/made/pad.svg))."
    )


def shopping_list() -> str:
    return f"""## Shopping list

The satellite, once:

{table(BUY_AND_PLACE, shopping_and_places(bill("satellite")))}

{word(PADS).capitalize()} pads (divide for fewer; the names are those on each pad's board):

{table(BUY_AND_PLACE, shopping_and_places(bill("pad"), PADS))}

{word(PADS).capitalize()} [cables](../harness/made/pad-cable.svg), pressed, not soldered:

{table(BUY, cable_rows())}

{besides()}"""


# --- Soldering ------------------------------------------------------------------------------------------------------


def which_way_round() -> str:
    """Leg 1 is in the square hole. Only what this kit has is told."""
    kinds = {part.kind for kit in ("satellite", "pad") for part in netlist(kit).parts.values()}
    first = {kind.pins[0].name for kind in kinds}
    known = [words for name, words in LEG_1.items() if name in first]
    return (
        f"In the square hole goes leg 1: {'; '.join(known)}. The notch of a chip lies over the notch that is printed."
    )


def step_by_step(name: str) -> str:
    """A picture of the board after each step, with what is new in it."""
    every = steps.steps(board(name))
    rows = [(step.words, f"![after step {step.number}](pictures/{name}-{step.number}.svg)") for step in every]
    return table(("solder", "then it looks like this"), rows)


# --- Ohms before volts ---------------------------------------------------------------------------------------------


def ohm_rows() -> list[Row]:
    """Between the rails, with nothing in the sockets and nothing plugged in."""
    five, three, ground, socket = (hole_of(net) for net in ("5V", "3V3", "GND", "VBUS"))
    least = f"{SHORT_OHMS} Ω or more, after a second"
    supply, other = WIRES.index("3V3") + 1, WIRES.index("GND") + 1
    return [
        (f"a short of {CHARGER_VOLT:g} V", f"{five} and {ground}", least),
        ("a short of the 3.3 V", f"{three} and {ground}", least),
        (f"{CHARGER_VOLT:g} V on the readers' rail", f"{five} and {three}", least),
        ("the fuse", f"{socket} and {five}", f"less than {OPEN_FUSE:g} Ω"),
        ("a short in a plug", f"wires {supply} and {other} of each plug", least),
    ]


# --- Measuring ------------------------------------------------------------------------------------------------------


def _supply(what: str) -> Bound:
    return figures()[f"supply: supply, five pads: {what}"]


def five_volts() -> str:
    """From the least that the Nano gets to the most that the supply gives."""
    return f"{_supply('5 V at the Nano')} to {SUPPLY[1]:.2f} V"


def measures() -> list[Row]:
    said = figures()
    ground = hole_of("GND")
    select, green, red = (WIRES.index(name) + 1 for name in ("SDA", "GREEN", "RED"))
    return [
        (
            "5 V, last with all pads on",
            f"{hole_of('5V')} and {ground} of the satellite",
            five_volts(),
        ),
        (
            f"3.3 V at the end of {LONGEST:g} m of cable",
            "3.3V and GND of a reader",
            f"{_supply('3.3 V at a reader')} to {_supply('3.3 V, at most')}",
        ),
        (
            "RST, while the Nano's reset button is held",
            f"leg {leg_at('satellite', 'U1', 'RESET')} of U1 and {ground}",
            f"{said['reset and start: RESET while the Nano is in reset']} or less",
        ),
        (
            "SDA, while it is held: no reader is selected",
            f"wire {select} of each plug and {ground}",
            f"{said['reset and start: SDA at a reader while the Nano is in reset']} or more",
        ),
        (
            "the lines of the buttons, none pressed",
            f"wires {green} and {red} of a plug, each against {ground}",
            f"{said['buttons: any other line']} or more",
        ),
    ]


# --- The doctor -----------------------------------------------------------------------------------------------------


def doctor() -> str:
    """What the doctor says when everything answers, in its own words."""
    settings = kit_table("full").satellite
    assert settings is not None
    firmware = {
        "major": defined("link.h", "LINK_MAJOR"),
        "minor": defined("link.h", "LINK_MINOR"),
        "room": defined("events.h", "EVENTS_ROOM"),
    }
    welcome = Welcome(version=1, session=1, serial=SERIAL, boot=1, pads=PADS, features=0, next=0, fresh=0, **firmware)
    pads = [doctors.pad_finding(station, LinkUp(station, 0), []) for station in settings.pads]
    return "\n".join(map(told, [doctors.itself(welcome), *pads]))


# --- The page -------------------------------------------------------------------------------------------------------


def making() -> str:
    """Steps 1 to 5."""
    low, high = _supply("3.3 V at the regulator"), _supply("3.3 V, at most")
    return f"""1. **Print** the boxes, as they lie in the files, without supports: [satellite-base](../boxes/made/satellite-base.stl),
   [satellite-lid](../boxes/made/satellite-lid.stl); for each pad [pad-base](../boxes/made/pad-base.stl), [pad-lid](../boxes/made/pad-lid.stl)
   and {word(count("pad", "SW"))} [plungers](../boxes/made/plunger.stl), green and red.

   ![All parts](../boxes/made/parts.png)

2. **Solder the satellite**, {joints("satellite")} joints: low parts first, sockets for Nano and chips, plugs last. Nothing goes into the sockets yet.
   {which_way_round()}
   [This sheet](../boards/made/satellite/satellite-assembly.pdf) shows where each part goes; print it to fit the page.

   ![The satellite's board](../boards/made/satellite/satellite-top.png)

{indented(step_by_step("satellite"))}

3. **Ohms first**, before anything is plugged in and while all sockets are empty. If one of these is wrong, look for a bridge
   of solder or a part the wrong way round: nothing is lost yet.

{indented(table(MEASURE, ohm_rows()))}

   **Then volts.** Supply in: {five_volts()} between {hole_of("5V")} and {hole_of("GND")}, {low} to {high} between {hole_of("3V3")} and {hole_of("GND")}.
   If not, stop: a reader dies of {CHARGER_VOLT:g} V. Then the chips, and measure again.
4. **Flash the Nano** while it is not in the board: `make -C firmware flash PORT=… SERIAL={SERIAL}`
   ([firmware/README.md](../../firmware/README.md)). Then it goes into its sockets, its USB socket at the edge.
5. **Solder one pad**, {joints("pad")} joints ([sheet](../boards/made/pad/pad-assembly.pdf)). Before the reader's socket hold your module over the
   board, its parts up: the names beside its pins have to be those that are printed beside the socket, hole by hole. Leave the lamp's legs long: its top is to be {p.LAMP_TOP:.0f} mm above the
   board. Ohms first here, too: {SHORT_OHMS} Ω or more between 3.3V and GND of its socket. Then, with its cable plugged in, {low} to {high} there
   before the reader goes in.

   ![A pad's board](../boards/made/pad/pad-top.png)

{indented(step_by_step("pad"))}
"""


def using() -> str:
    """Steps 6 to 9."""
    return f"""6. **Measure** with that pad. The other pads come one at a time, soldered and measured like the first; measure this again after each:

{indented(table(MEASURE, measures()))}

7. `companion config --kit full --force`, then `companion doctor`. Among what it says should be, with all pads plugged in:

{indented(doctor(), 7)}

8. **Close the boxes.** Press the inserts into the pillars of the lids with a soldering iron, flush. Board on its posts, reader on its
   socket, its free end in the slot of the [rest](../boxes/made/rest.stl), which is glued onto the board; plungers on the buttons' stems, lid on,
   {word(len(d.PAD_HOLES))} screws from below. The antenna is then
   {p.ANTENNA_TO_PIECE:.1f} mm under the face of the lid. The satellite's lid has {word(1)} dot beside the plug of pad 0, {word(PADS)} beside that of pad {PADS - 1}.

   ![A pad in layers](../boxes/made/pad.png)

   ![The satellite in layers](../boxes/made/satellite.png)

9. Labels on, stickers on, `companion enroll GAME`, and play.
"""


def page() -> str:
    work = estimates.full_kit(len(measures()))
    return f"""{HEAD}# The full kit, step by step: {estimates.about(work)}

![A table with {word(PADS)} pads](../boxes/made/table.png)

{NOT_BUILT} The centre is [kit one](kit-one.md); pins, cable and reasons are in [full-kit.md](../full-kit.md).

{estimates.told(work)} Kit one comes on top.

{prices.told(prices.full_kit(), prices.full_kit(clones=True))} Kit one is in it.

{shopping_list()}

## Steps

{making()}
{using()}"""
