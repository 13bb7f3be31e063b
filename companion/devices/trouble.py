"""What can be wrong with a reader, in a fixed vocabulary: these few words are shown to people, and translated."""

from typing import Literal, TypeAlias, get_args

from companion.errors import DeviceError

Problem: TypeAlias = Literal[
    "the driver cannot be loaded",
    "the bus cannot be opened",
    "the bus fails",
    "the chip answers 0x00",
    "the chip answers 0xFF",
    "the chip answers nonsense",
    "the chip does not keep its settings",
    "the chip has lost its settings",
    "the chip does not finish",
    "the reader does not answer",
]
PROBLEMS: tuple[Problem, ...] = get_args(Problem)

INSTALL = "install the hardware's libraries: `make pi` on a Pi, `make drivers` elsewhere"
"""For every driver whose library is missing."""

REMEDIES: dict[Problem, str] = {
    "the driver cannot be loaded": INSTALL,
    "the bus cannot be opened": "switch SPI on (raspi-config, Interface Options); may this user open /dev/spidev*?",
    "the bus fails": "look at the kernel's messages (dmesg) and at the wires",
    "the chip answers 0x00": "check 3.3 V, ground, RST and the wire from MISO",
    "the chip answers 0xFF": "check SDA (chip select) and MISO, and that the reader has power",
    "the chip answers nonsense": "check MISO and SCK; wires of more than 20 cm are too long",
    "the chip does not keep its settings": "check MOSI and SCK; wires of more than 20 cm are too long",
    "the chip has lost its settings": "check the 3.3 V supply: the reader has been without power for a moment",
    "the chip does not finish": "switch the reader off and on; if it comes again, it is broken",
    "the reader does not answer": "look at the kernel's messages (dmesg), and start the table again",
}
"""What a person can do about it."""


class ReaderError(DeviceError):
    """A reader fails. Never says anything about tags."""

    def __init__(self, problem: Problem, where: str, detail: str = "") -> None:
        self.problem: Problem = problem
        told = f" ({detail})" if detail else ""
        super().__init__(f"{where}: {problem}{told}; {REMEDIES[problem]}")
