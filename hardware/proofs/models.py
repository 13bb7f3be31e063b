"""What the parts are in a simulation, from their data sheets. Where a sheet gives a limit, the limit is taken."""

# --- 74LVC245A at 3.3 V (TI SCAS218): 0.55 V at 24 mA at worst, typically a third of it; edges of 1 to 3 ns
SHIFTER_OHMS = (8.0, 25.0)
SHIFTER_EDGE = 1.5e-9
SHIFTER_DELAY = 6.3e-9
SHIFTER_HIGH, SHIFTER_LOW = 2.0, 0.8
SHIFTER_LEAKAGE = 5e-6

# --- 74HCT125 at 4.5 to 5.5 V (TI SCHS143)
GATE_HIGH, GATE_LOW = 2.0, 0.8
GATE_DELAY = 38e-9
"""At 85 °C, 4.5 V and 50 pF."""
GATE_PICOFARAD = 10

# --- MFRC522 (NXP, 3.9): limits, levels and times of its SPI pins
READER_BELOW = -0.5
READER_ABOVE = 0.5
"""Absolute limits of an input: this much below ground, and this much above its supply."""
READER_HIGH, READER_LOW = 0.7, 0.3
"""Of its supply."""
READER_PICOFARAD = (5, 20)
"""Pin and module."""
READER_OHMS = (30.0, 100.0)
"""MISO: 0.4 V at 4 mA at worst."""
READER_SETUP = 25e-9
READER_ANSWER = 25e-9
"""From a falling clock to MISO."""
READER_AMPERE = 0.1
"""26 mA, and up to 100 for the transmitter: as much as the sheet allows. Usual modules take 15 to 60."""
READER_SUPPLY = (2.5, 3.6)
READER_LEAKAGE = 1e-6
"""Of an input."""
CLAMP = ".model clamp d(is=1e-14 rs=20 cjo=1p)"
"""The protection diodes of an input."""

# --- ATmega328P at 5 V (Microchip DS40002061)
ATMEGA_OHMS = (15.0, 40.0)
ATMEGA_LEAKAGE = 1e-6
ATMEGA_PIN_LIMIT = 20e-3
ATMEGA_SETUP = 10e-9
ATMEGA_BROWN_OUT = 4.5
"""The highest value of the 4.3 V threshold."""
ATMEGA_PICOFARAD = 10
CLOCKS_KHZ = (1000, 2000)
"""What firmware/Makefile lets one choose."""

# --- A Pi's pins up to a Pi 4 (BCM2835 to BCM2711, 5.3 and 5.5): GPIO9 has its pull-down when the Pi starts
PI_PULL_DOWN = (50e3, 65e3)
PI_LEAKAGE = 5e-6
PI_LOW, PI_HIGH = 0.8, 2.0
PI_PULL_UP = PI_PULL_DOWN
PI_SUPPLY = (3.15, 3.45)
"""Its 3.3 V, at the header."""
BUTTON_OHMS = 0.1
"""A contact that is closed, at most (Omron B3F)."""

PI_OHMS = (30.0, 60.0)
PI_EDGE = 2e-9
JUMPER_OHMS = (120.0, 200.0)
"""Loose wires, with ground somewhere beside them."""
JUMPER_METRES = 0.2
KIT_ONE_OHMS = 150.0
"""What hardware/kit-one.md puts into SCK and MOSI, for those who want to keep every limit."""

# --- Flat cable, 28 AWG, 1.27 mm, each fast wire between two grounds
CABLE_OHMS = (90.0, 130.0)
CABLE_DELAY = 5e-9
"""A metre."""
CABLE_PICOFARAD = 60
"""A metre, of a wire against its neighbours."""
COUPLED_FARAD, COUPLED_HENRY = 0.25, 0.35
"""How much a wire shares with the next one where no ground lies between them. No data sheet says it; both are
guesses on the high side, and docs/acceptance.md has the measurement."""
CABLE_RESISTANCE = 0.23
"""A metre of one wire, at 40 °C."""
LENGTHS = ((0.2,), (1.0,), (0.2, 1.0), (0.2,) * 5, (1.0,) * 5, (0.2, 0.4, 0.6, 0.8, 1.0))
"""Metres: one pad, two and five, short, long and mixed."""

# --- Diodes, transistor
BAT85 = ".model bat85 d(is=2.1e-7 rs=2.8 n=1.02 eg=0.69 xti=2 cjo=11p m=0.35 bv=36 ibv=1e-5)"
"""0.25 V at 1 mA, 0.35 V at 10 mA (Vishay 85513: 0.32 and 0.40 at most): `BAT85_MORE` is what a worse one adds."""
BAT85_MORE = 0.08
D4148 = ".model d4148 d(is=2.52n rs=0.568 n=1.752 cjo=4p m=0.4 tt=20n bv=100)"
BC337 = ".model bc337 npn(is=4e-14 bf={gain} vaf=100 ikf=0.6 rb=2 rc=0.3 re=0.1 cje=50p cjc=20p tf=0.7n)"

# --- Supply
SUPPLY_NAME = "Raspberry Pi 12.5 W Micro USB supply (5.1 V, 2.5 A, fixed cable)"
SUPPLY = (4.845, 5.355)
"""Of this supply, 5.1 V ± 5 % at the plug of its own cable, whatever it gives (its product brief)."""
SUPPLY_CONTACTS = 0.06
"""Ohms, there and back: an adapter from Micro USB to USB-B, and the socket."""
CHARGER = (4.75, 5.25)
"""Of any other USB charger, at its socket."""
CHARGER_CABLE = 0.165
"""Ohms, there and back: half a metre with power wires of 24 AWG, and its plugs."""
CHARGER_VOLT, CHARGER_AMPERE = 5.0, 1.0
"""What is printed on either, at least."""
FIVE_VOLTS = (4.4, SUPPLY[1])
"""What the Nano's pins may have as their high, with a supply at J6 or through its own USB socket."""
FUSE_OHMS = 0.27
"""MF-R110 (Bourns, MF-R series): an hour after it has opened; a new one has 0.10 to 0.18."""
FUSE_AMPERE = 0.85
"""What it holds at 50 °C (chart of thermal derating); 1.1 A at 23 °C."""
FIVE_VOLTS_MOST = 5.5
"""The most that the ATmega328P, the 74HCT125 and the inputs of the 74LVC245A may get."""
USB_SUPPLY = (4.95, 5.25)
USB_AMPERE = 0.5
USB_CABLE = 0.25
"""Ohms, there and back: at most a metre with power wires of 24 AWG, and its plugs."""
"""What any USB port gives."""
REGULATOR_DROP = 0.4
"""Ohms: 0.4 V at 1 A at most (MCP1826S, DS22057)."""
REGULATOR_ERROR = 0.025
REGULATOR_KELVIN_PER_WATT = 62
"""A TO-220 standing in air, without a heat sink."""
REGULATOR_HOTTEST = 125
AMS1117_DROP = 1.3
"""Volts, whatever flows: what the pages had before."""
SHORT_OHMS = 500
"""Ohms that an empty board has between any two of its rails, at least; less is a bridge of solder. What lies between
them: a lamp behind 1 kΩ, which no ohmmeter lights, and capacitors, which are full after a second."""
TOLERANCE = 0.05
