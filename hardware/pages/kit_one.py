"""Kit one."""

from companion.config import kit_table
from companion.devices.finding import lying, told
from companion.devices.gpio.check import button_finding
from companion.devices.gpio.header_pins import HEADER, KIT_ONE
from companion.devices.rc522.check import chip_finding
from hardware import dimensions as d
from hardware.boxes import parameters as p
from hardware.harness.cables import kit_one_wires, soldered_ends
from hardware.pages import estimates, prices
from hardware.pages.pieces import BUY, HEAD, MEASURE, NOT_BUILT, Row, indented, shopping, table, word
from hardware.pages.sources import SCREW, bill, count, figures, grams, joints
from hardware.proofs.models import JUMPER_METRES, PI_LOW, PI_SUPPLY, SHORT_OHMS

VERSION = 0x92
"""What the usual RC522 says of itself."""
BUTTONS = count("kit-one", "SW")
FILAMENT = ("centre-base", "pad-lid", *["plunger"] * BUTTONS)


def _pin(part: str, its: str) -> int:
    """Where a wire ends on the Pi's header."""
    return next(pin for its_part, end, pin, _ in kit_one_wires() if (its_part, end) == (part, its))


def measures() -> list[Row]:
    said = figures()
    low, high = (
        said[f"lamps and buzzer: lamp of kit one: {what}"] for what in ("enough to be seen", "current of a pin")
    )
    green, red, lamp = (KIT_ONE[name] for name in ("green", "red", "lamp"))
    at_a_button = f"pin {HEADER[green]} (green) or {HEADER[red]} (red), and pin {_pin('green button', '2')}"
    return [
        (
            "3.3 V, before the reader is plugged in",
            f"pin {_pin('reader', '3.3V')} and pin {_pin('reader', 'GND')}",
            f"{PI_SUPPLY[0]:.2f} to {PI_SUPPLY[1]:.2f} V, which the simulation takes for granted",
        ),
        (f"the lamp, lit by `pinctrl set {lamp} op dh`", "in its wire, as a current", f"{low} to {high}"),
        (
            f"a button that is released, after `pinctrl set {green},{red} ip pu`",
            at_a_button,
            f"{said['reset and start: kit one: a button that is released']} or more",
        ),
        ("the same, pressed", at_a_button, f"{PI_LOW:.2f} V or less, which the Pi takes for pressed"),
    ]


def doctor() -> str:
    """What the doctor says of a kit that is wired right, in its own words."""
    (reader,) = kit_table("one").readers
    found = [
        chip_finding(reader.name_for_people, VERSION, 0),
        *(button_finding(button, level=1) for button in kit_table("one").buttons),
    ]
    return "\n".join(map(told, found))


def besides() -> str:
    wires = kit_one_wires()
    return (
        f"Besides: {len(wires)} jumper wires of at most {JUMPER_METRES * 100:.0f} cm, female to female; a strip of perfboard "
        f"({p.STRIP.width:g} × {p.STRIP.height:g} mm) for buttons and lamp;\n"
        f"{len(d.PAD_HOLES)} screws {SCREW} × {p.SCREW_LENGTH:g} for the lid and {len(p.STRIP_POSTS)} of {SCREW} × {p.STRIP_SCREW:g} "
        f"for the strip, of steel; {len(d.PAD_HOLES)} heat-set inserts ({SCREW}, {d.INSERT_LENGTH:g} mm long); a Grove cable with female jumper ends for the buzzer; stickers ([how many](laptop.md#shopping-list));\n"
        f"at most {grams(*FILAMENT)} g of filament; the Pi's own power supply and its card; a multimeter."
    )


def soldering() -> str:
    return (
        f"2. **Solder** {joints('kit-one')} joints: the straight header that comes with the reader's module, its long\n"
        f"   pins pointing down, away from the side with the parts; on the strip the buttons, the lamp, its\n"
        f"   resistor and {word(soldered_ends())} wires. The buttons sit {d.BUTTON_RED.x - d.BUTTON_GREEN.x:g} mm apart, the lamp {d.LAMP.x - d.BUTTON_GREEN.x:g} mm from the green one, "
        f"as on the [label](../labels.svg). Leave the\n"
        f"   lamp's legs long: its top is to be {p.LAMP_TOP:.0f} mm above the strip. Cut one plug off each of {word(soldered_ends())} jumper wires and solder them to\n"
        f"   the buttons and the lamp. A button's legs are further apart one way: that way lies along the strip.\n"
        f"   Holes with a dashed ring are drilled, {d.SCREW_HOLE:g} mm wide, for the screws; a dot is a leg that needs no wire.\n\n"
        "   ![The strip from above: buttons, lamp, resistor, wires to the Pi, and the screws' holes](../perfboard/made/kit-one-strip.svg)\n"
    )


def page() -> str:
    work = estimates.kit_one(len(measures()))
    return f"""{HEAD}# Kit one, step by step: {estimates.about(work)}

![The centre's box, opened](../boxes/made/centre.png)

{NOT_BUILT} Pins and reasons are in [kit-one.md](../kit-one.md).

{estimates.told(work)}

{prices.told(prices.kit_one(), prices.kit_one(clones=True))}

## Shopping list

{table(BUY, shopping(bill("kit-one")))}

{besides()}

## Steps

1. **Print** [centre-base](../boxes/made/centre-base.stl), [pad-lid](../boxes/made/pad-lid.stl) and {word(BUTTONS)}
   [plungers](../boxes/made/plunger.stl), as they lie in the files, without supports. Any flat box without metal will do as well.
{soldering()}
3. **Wire** it with the Pi switched off, [wire by wire](../harness/made/kit-one.svg); [the circuit](../schematics/made/kit-one.pdf).
   The reader comes last, after the first measurement.

   ![Every wire of kit one](../harness/made/kit-one.svg)

4. **Ohms first**, with the Pi switched off and the wires pulled off it: {SHORT_OHMS} Ω or more between the wires of pin {_pin("reader", "3.3V")} and pin {_pin("reader", "GND")},
   and between the wires of pin {_pin("buzzer", "plus")} and pin {_pin("buzzer", "minus")}. Less is a bridge of solder or a wire in the wrong place.
   **Then measure** with the Pi switched on, before you go on:

{indented(table(MEASURE, measures()))}

5. **Close the box.** Press the inserts into the pillars of the lid with a soldering iron, flush. The buzzer is in its tray on the
   floor, held by tape, under the strip. The module is on its ledges, antenna up, the plugs on its header below it, {p.ANTENNA_TO_PIECE:.1f} mm under the face of the lid; wires leave
   through the opening at the back. Stick the label on.
6. `companion config`, then `companion doctor`. Among what it says should be:

{indented(doctor(), 7)}

   What else it may say, and the usual reasons, is in [build-it.md](../../docs/build-it.md#2-kit-one).
7. Hold a tag on the lid and ask again: the reader's line now ends with "{lying(1).removeprefix("; ")}". Then stickers,
   `companion enroll GAME`, and play.
"""
