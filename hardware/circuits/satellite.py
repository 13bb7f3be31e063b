"""The satellite's board: a Nano, 5 V → 3.3 V for eight lines, 3.3 V → 5 V for three, a regulator, five plugs, a buzzer.

Which pin of the Nano carries what is read out of firmware/avr/board.h: there it is said, and nowhere else.
"""

from hardware.circuits.catalogue import (
    BUZZER,
    C1U,
    C47U,
    C100N,
    D4148,
    FUSE,
    GATES,
    NANO,
    NETWORK,
    PLUG,
    POWER_LED,
    POWER_SOCKET,
    R1K,
    R2K2,
    R8K2,
    R100,
    R470,
    REGULATOR,
    SHIFTER,
    TEST_POINT,
    TRANSISTOR,
    WIRES,
)
from hardware.circuits.checks import pins_of_the_firmware
from hardware.circuits.drafting import Draft

PADS = range(5)
DOWN = ("SELECT0", "SELECT1", "SELECT2", "SELECT3", "SELECT4", "RESET", "MOSI", "SCK")
"""The lines through the level shifter, in the order of its legs."""
SHIFTED = {"RESET": "RST", **{f"SELECT{pad}": f"SDA{pad}" for pad in PADS}}
"""What a line is called behind it, where that is not its own name at 3.3 V."""


MEASURED = ("SCK_3V3", "MOSI_3V3", "MISO_3V3", "RST", "SDA0", "GREEN_3V3", "RED_3V3", "VBUS", "GND")
"""The row of test points."""


def shifted(line: str) -> str:
    return SHIFTED.get(line, f"{line}_3V3")


def draw() -> Draft:
    board = Draft("satellite")
    _processor(board)
    _down(board)
    _up(board)
    for pad in PADS:
        _plug(board, pad)
    _sound(board)
    _supply(board)
    return board


def _processor(board: Draft) -> None:
    board.part(NANO, "A1", "in two sockets, 1 × 15")
    for name, label in pins_of_the_firmware().items():
        if name in ("RXD", "TXD", "SPARE"):
            board.unconnected("A1", {"RXD": "RXD", "TXD": "TXD"}.get(name, label))
        else:
            board.wire("A1", label, name)
    board.wire("A1", "5V", "5V")
    board.wire("A1", "GND1", "GND")
    board.wire("A1", "GND2", "GND")
    board.unconnected("A1", "RST1", "RST2", "3V3", "AREF", "A6", "A7", "VIN")


def _down(board: Draft) -> None:
    """From 5 V to 3.3 V. While the Nano is in reset its pins float: resistors keep readers unselected and in reset."""
    board.part(SHIFTER, "U1", "in a socket", DIR="3V3", OE="GND", VCC="3V3", GND="GND")
    for leg, line in enumerate(DOWN, 1):
        board.wire("U1", f"A{leg}", line)
        board.wire("U1", f"B{leg}", shifted(line))
    board.two(C100N, "C1", "3V3", "GND", "at U1")
    board.part(NETWORK, "RN1", "selects up", COMMON="5V")
    for pad in PADS:
        board.wire("RN1", f"R{pad + 1}", f"SELECT{pad}")
    board.part(NETWORK, "RN2", "down while nobody drives", COMMON="GND")
    for leg, line in enumerate(("RESET", "MOSI", "SCK", "MISO_3V3", "BUZZER_BASE"), 1):
        board.wire("RN2", f"R{leg}", line)


def _up(board: Draft) -> None:
    """From 3.3 V to 5 V: an ATmega at 5 V wants 3.0 V for high, a reader gives as little as 2.7; HCT wants 2.0."""
    board.part(GATES, "U2", "in a socket", VCC="5V", GND="GND")
    for gate, (line, name, ref) in enumerate(
        (("MISO_3V3", "MISO", "R28"), ("GREEN_3V3", "GREEN", "R29"), ("RED_3V3", "RED", "R30")), 1
    ):
        board.wire("U2", f"A{gate}", line)
        board.wire("U2", f"OE{gate}", "GND")
        board.wire("U2", f"Y{gate}", f"{name}_OUT")
        board.two(R1K, ref, f"{name}_OUT", name, "if a strange sketch drives this pin, nothing burns")
    board.wire("U2", "A4", "GND")
    board.wire("U2", "OE4", "GND")
    board.unconnected("U2", "Y4")
    board.two(C100N, "C2", "5V", "GND", "at U2")
    board.two(R8K2, "R26", "3V3", "GREEN_3V3", "pull-up of the green buttons")
    board.two(R8K2, "R27", "3V3", "RED_3V3", "pull-up of the red buttons")


def _plug(board: Draft, pad: int) -> None:
    """Each fast line has a resistor of its own for each cable, about as big as the cable's impedance."""
    ref = f"J{pad + 1}"
    board.part(PLUG, ref, f"pad {pad}")
    own = {wire: f"P{pad}_{wire}" for wire in ("SDA", "SCK", "MOSI", "RST", "LAMP")}
    shared = {"MISO": "MISO_3V3", "GREEN": "GREEN_3V3", "RED": "RED_3V3"}
    for number, name in enumerate(WIRES, 1):
        board.wire(ref, f"{name}_{number}", own.get(name, shared.get(name, name)))
    first = 5 * pad + 1
    for offset, (line, wire) in enumerate(
        ((f"SDA{pad}", "SDA"), ("SCK_3V3", "SCK"), ("MOSI_3V3", "MOSI"), ("RST", "RST"))
    ):
        board.two(R100, f"R{first + offset}", line, own[wire], f"pad {pad}, {wire}")
    board.two(R470, f"R{first + 4}", f"LAMP{pad}", own["LAMP"], f"pad {pad}, lamp")


def _sound(board: Draft) -> None:
    board.two(R2K2, "R31", "BUZZER", "BUZZER_BASE", "base of Q1")
    board.part(TRANSISTOR, "Q1", "", C="BUZZER_LOW", B="BUZZER_BASE", E="GND")
    board.two(BUZZER, "BZ1", "5V", "BUZZER_LOW")
    board.two(D4148, "D2", "5V", "BUZZER_LOW", "across the buzzer, ring to 5 V")


def _supply(board: Draft) -> None:
    """5 V from a supply of its own, or from the Nano's USB socket; 3.3 V for the readers, with 1 A to spare."""
    board.part(POWER_SOCKET, "J6", "5 V supply", VBUS="VBUS", GND="GND", SHIELD="GND")
    board.two(FUSE, "F1", "VBUS", "5V", "opens at a short, closes again when it has cooled down")
    board.unconnected("J6", "D-", "D+")
    board.powered("5V")
    board.part(REGULATOR, "U3", "", VIN="5V", GND="GND", VOUT="3V3")
    board.two(C47U, "C3", "5V", "GND", "at U3")
    board.two(C47U, "C4", "3V3", "GND", "at U3")
    board.two(C1U, "C5", "3V3", "GND", "at U3")
    board.two(R1K, "R32", "3V3", "POWER_LED", "for D1")
    board.two(POWER_LED, "D1", "GND", "POWER_LED", "is lit while there are 3.3 V")
    for number, net in enumerate(("5V", "3V3", "GND", *MEASURED), 1):
        ref = f"TP{number}"
        board.part(TEST_POINT, ref, f"measure {net} here")
        board.wire(ref, "1", net)
