"""Kit one: reader, two buttons, lamp and buzzer on the header of a Pi, as in companion/devices/gpio/header_pins.py."""

from companion.devices.gpio.header_pins import HEADER, KIT_ONE, POWER, SPI
from hardware.circuits.catalogue import BUTTON, BUZZER_MODULE, LAMP, R330, READER, Kind, PinOf
from hardware.circuits.drafting import Draft

GROUND = {"reader": 20, "green": 30, "red": 34, "lamp": 9, "buzzer": 14}
"""Which ground of the header each part takes: the one beside its own pin."""
PLUS = {"reader": 1, "buzzer": 17}

GPIO = {pin: gpio for gpio, pin in HEADER.items()}
RASPBERRY = Kind(
    "RaspberryPi",
    "J",
    "Raspberry Pi, 40 pins",
    tuple(
        PinOf(str(pin), f"{POWER[pin]} {pin}") if pin in POWER else PinOf(str(pin), f"GPIO{GPIO[pin]}", "BIDIR")
        for pin in range(1, 41)
    ),
    "",
    "Raspberry Pi",
    "any with the 40-pin header",
    "Zero 2 W, 3, 4, 5",
)


def draw() -> Draft:
    kit = Draft("kit-one")
    kit.part(RASPBERRY, "J1")
    nets = {SPI[0]["CE0"]: "SDA", SPI[0]["SCLK"]: "SCK", SPI[0]["MOSI"]: "MOSI", SPI[0]["MISO"]: "MISO"}
    nets |= {KIT_ONE["reset"]: "RST", KIT_ONE["green"]: "GREEN", KIT_ONE["red"]: "RED"}
    nets |= {KIT_ONE["lamp"]: "LAMP", KIT_ONE["buzzer"]: "BUZZER"}
    for gpio, net in nets.items():
        kit.wire("J1", f"GPIO{gpio}", net)
    for pin in GROUND.values():
        kit.wire("J1", f"ground {pin}", "GND")
    for pin in PLUS.values():
        kit.wire("J1", f"3.3 V {pin}", "3V3")
    kit.powered("3V3", "GND")
    wired = {HEADER[gpio] for gpio in nets} | set(GROUND.values()) | set(PLUS.values())
    kit.unconnected("J1", *(pin.name for pin in RASPBERRY.pins if int(pin.number) not in wired))

    kit.part(READER, "U1", "", SDA="SDA", SCK="SCK", MOSI="MOSI", MISO="MISO", RST="RST", GND="GND")
    kit.wire("U1", "3.3V", "3V3")
    kit.unconnected("U1", "IRQ")
    kit.two(BUTTON, "SW1", "GREEN", "GND", "green")
    kit.two(BUTTON, "SW2", "RED", "GND", "red")
    kit.two(R330, "R1", "LAMP", "LAMP_LED", "for the lamp")
    kit.two(LAMP, "D1", "GND", "LAMP_LED", "the long leg to the resistor")
    kit.part(BUZZER_MODULE, "BZ1", "", signal="BUZZER", plus="3V3", minus="GND")
    return kit
