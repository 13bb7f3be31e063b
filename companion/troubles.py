"""What can be wrong with a device, in a fixed vocabulary.

A trouble is its words: they travel in signals (`ReaderFault.problem`, `LinkDown.problem`), and each screen translates
them (`in_words` in companion/language/general_sentences.py). Each comes with what the user can do about it.
"""

import sys
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Self

from companion.stations import ButtonColour

SEVERAL = "; "
"""Joins the troubles of a device that tried several ways without success, one for each."""

INSTALLED = "/opt/companion"
"""Where `make install` puts the program."""
PACKAGED = "/usr/lib/companion"
"""Where the Debian package puts it."""
AGAIN = "`make install` again, in the folder that you installed from"
PACKAGED_AGAIN = "`sudo apt install --reinstall companion-table`"


def to_install(prefix: str, in_a_checkout: str) -> str:
    """How to install a missing library where this program runs. The make targets of a checkout fill its own .venv
    only."""
    return {INSTALLED: AGAIN, PACKAGED: PACKAGED_AGAIN}.get(prefix, in_a_checkout)


def to_add(extra: str, prefix: str = sys.prefix) -> str:
    """How to add an extra of docs/install.md to this installation. pipx and uv make theirs anew: with all extras."""
    here = f"`{prefix}/bin/python -m pip install 'companion-table[{extra}]'`"
    if (Path(prefix) / "pipx_metadata.json").exists():
        here = "`pipx install --force 'companion-table[all]'`"
    elif (Path(prefix) / "uv-receipt.toml").exists():
        here = "`uv tool install --force 'companion-table[all]'`"
    elif any(part.startswith("archive-v") for part in Path(prefix).parts):  # of uvx, in uv's cache
        here = "`uvx --from 'companion-table[all]' companion`"
    return to_install(prefix, here)


INSTALL = to_install(
    sys.prefix,
    "install the hardware's libraries: `make pi` on a Pi, `make usb` for readers on USB, `make drivers` for all",
)
"""For every driver whose library is missing."""


TROUBLES: dict[str, "Trouble"] = {}
"""All of them, by their words, also of third-party readers. The more specific trouble of a satellite comes later."""


class Trouble(StrEnum):
    """Fixed English words, and what the user can do about it."""

    remedy: str

    def __new__(cls, words: str, remedy: str) -> Self:
        trouble = str.__new__(cls, words)
        trouble._value_ = words
        trouble.remedy = remedy
        TROUBLES[words] = trouble
        return trouble


class ReaderTrouble(Trouble):
    """Of a reader on the Pi's bus."""

    NO_DRIVER = "the driver cannot be loaded", INSTALL
    NO_BUS = (
        "the bus cannot be opened",
        "switch SPI on (raspi-config, Interface Options); check that you may open /dev/spidev* (group spi)",
    )
    NO_RESET = (
        "the reset pin cannot be used",
        "check whether another program uses it (`gpioinfo`), and whether table.toml names the pin wired to RST",
    )
    BUS_FAILS = "the bus fails", "check the kernel messages (dmesg) and at the wires"
    ALL_LOW = (
        "the chip answers 0x00",
        "check 3.3 V, ground, RST, MISO and SDA (chip select); up to a Pi 4 an unconnected MISO reads 0x00",
    )
    ALL_HIGH = (
        "the chip answers 0xFF",
        "check MISO, SDA (chip select), 3.3 V and ground; an unconnected MISO without a pull-down reads 0xFF",
    )
    NONSENSE = "the chip answers nonsense", "check MISO and SCK; wires of more than 20 cm are too long"
    FORGETS = "the chip does not keep its settings", "check MOSI and SCK; wires of more than 20 cm are too long"
    HAS_FORGOTTEN = (
        "the chip has lost its settings",
        "check the 3.3 V supply: the reader lost power for a moment",
    )
    UNFINISHED = "the chip does not finish", "switch the reader off and on; if it happens again, it is broken"
    STALLED = "the reader does not answer", "check the kernel messages (dmesg), and start the table again"


class PinsTrouble(Trouble):
    """Of the way to the Pi's pins."""

    NO_PIGPIO = "the library pigpio is not installed", INSTALL
    NO_DAEMON = "pigpiod is not running", "`sudo systemctl enable --now pigpiod`"
    SILENT = "pigpiod does not answer", "`sudo systemctl restart pigpiod`"
    REFUSED = (
        "pigpiod refuses a pin",
        "check whether another program uses the pin (`pinctrl`), then `sudo systemctl restart pigpiod`",
    )
    NO_GPIOD = "the library gpiod is not installed", INSTALL
    NO_PINS = (
        "this computer has no GPIO pins",
        "on a Pi, update the system: the kernel shows no chip",
    )
    FORBIDDEN = (
        "no permission on the pins",
        "let this user use them: `sudo usermod -aG gpio $USER`, then log out and in again",
    )
    BUSY = "another program uses a pin", "close the other program; `gpioinfo` names it"
    UNUSABLE = (
        "a pin cannot be used",
        "check the kernel messages (dmesg), and choose another pin in table.toml",
    )
    EDGES_LOST = (
        "presses were not heard in time",
        "press again; if it happens often, another program keeps this computer busy (`top`)",
    )


class ButtonTrouble(Trouble):
    """Of a button, on the Pi's pins or at a pad."""

    GREEN_STUCK = "the green button is stuck", "check the button and its wires"
    RED_STUCK = "the red button is stuck", "check the button and its wires"


STUCK: dict[ButtonColour, ButtonTrouble] = {"green": ButtonTrouble.GREEN_STUCK, "red": ButtonTrouble.RED_STUCK}


class LineTrouble(Trouble):
    """Of a serial line, before any device has answered. Here and below, the more specific trouble comes later."""

    UNPLUGGED = "unplugged", "plug it in, and check the port in table.toml"
    CANNOT_OPEN = "cannot be opened", "unplug it and plug it in again; the kernel messages (dmesg) say more"
    NO_SERIAL_LINE = (
        "not a serial line",
        "name the right port in table.toml, or leave it out to find it automatically",
    )
    IN_USE = (
        "in use by another program",
        "close the other program that uses this port; `fuser PORT` names it",
    )
    NO_PERMISSION = (
        "no permission",
        "let this user open serial lines: sudo usermod -aG dialout $USER, then log in again",
    )


class SatelliteTrouble(Trouble):
    """Of the device at the other end of the line."""

    NO_ANSWER = (
        "does not answer",
        "check that it is a satellite with its firmware flashed; press its reset button, or plug it in again",
    )
    ANOTHER = (
        "another satellite",
        "plug in the satellite whose serial number is in table.toml, or change the number there",
    )
    TOO_OLD = "firmware too old", "flash the firmware that came with this version: make -C firmware flash"
    TOO_NEW = (
        "firmware too new",
        "this program is older than the satellite's firmware: update it, or flash the older firmware",
    )


class PadTrouble(Trouble):
    """Of one pad of a satellite."""

    NO_PAD = "no such pad", "table.toml names a pad that this satellite does not have"
    NO_READER = "no reader", "its firmware was built without readers: flash the one that came with this version"
    NO_CHIP = "no chip answers", "check the reader's power and its wires"
    HANGS = (
        "the chip hangs",
        "unplug the satellite and plug it in again; if it happens again, the reader is broken",
    )
    WRONG_ANSWERS = "the chip answers wrongly", "check the reader's wires; more than 20 cm is too long"


class StartCause(Trouble):
    """Why a satellite has restarted. It works, so this is a remark and not a fault."""

    POWER = (
        "its satellite restarted: it had no power for a moment",
        "look at the USB cable and its plugs, at both ends",
    )
    RESET_PIN = "its satellite was reset", "nothing, if you pressed its button or opened its line"
    BROWN_OUT = (
        "its satellite restarted: its 5 V supply is weak",
        "use a stronger supply or a shorter USB cable; no more than five readers belong on one satellite",
    )
    WATCHDOG = (
        "its satellite restarted: its program had stopped (watchdog)",
        "if it happens again, please report it, with what was done just before",
    )


class CopyRemark(Trouble):
    """Of a reader with a copied chip. It reads tags as far as it can, so this is not a fault either."""

    ODD_COPY = (
        "its reader is an odd copy of the RC522 that does not keep all of its settings",
        "it is used all the same; if it misses tags, try another module",
    )


class Pn532Trouble(Trouble):
    """Of a PN532 on a serial line."""

    NO_PN532 = (
        "no PN532 answers",
        "check that it is a PN532 with its switches set to HSU (UART), and plug it in again",
    )
    WRONG_PORT = (
        "no PN532 answers on the port in table.toml",
        "check the port, and that the switches are set to HSU (UART); Companion tries again twice a minute",
    )
    SILENT = (
        "the PN532 no longer answers",
        "plug it in again; if it happens again, try another cable or port",
    )
    GARBLED = (
        "the PN532 cannot be understood",
        "try another cable; wires to a Pi's UART should be short, with ground beside them",
    )
    REFUSES = "the PN532 refuses a command", "plug it in again; if it happens again, the board is broken"
    WITHOUT_POWER = (
        "the PN532 has lost its settings",
        "it lost power for a moment: try another cable, or a stronger USB port",
    )


class PcscTrouble(Trouble):
    """Of a reader that pcscd manages."""

    NO_PYSCARD = "the library pyscard is not installed", to_install(sys.prefix, "`make usb` installs it")
    NO_SERVICE = "pcscd is not running", "`sudo apt install pcscd`, then `sudo systemctl enable --now pcscd.socket`"
    FORBIDDEN = (
        "pcscd does not let this user in",
        "a polkit rule forbids it: allow org.debian.pcsc-lite.access_pcsc and access_card, or log in at the computer",
    )
    NO_READER = (
        "pcscd knows no such reader",
        "plug it in; if it is, `companion doctor` checks whether the kernel has taken it",
    )
    TAKEN = (
        "the kernel has taken the reader",
        "echo 'install pn533_usb /bin/false' | sudo tee /etc/modprobe.d/companion.conf, then plug it in again",
    )
    IN_USE = "another program keeps the reader for itself", "close the other program that reads cards"
    FAILED = "the reader fails", "plug it in again; `sudo systemctl restart pcscd`"


class DriverTrouble(Trouble):
    """Of any device: a bug in its driver."""

    FAILED = "its driver failed", "this is a bug in Companion: please report it, with the terminal output"


def most_telling(problems: Iterable[str], otherwise: Trouble) -> Trouble:
    """The most specific of several troubles with one satellite."""
    order = list(TROUBLES)
    return TROUBLES[max(problems, key=order.index, default=otherwise.value)]


def remedy(problem: str) -> str:
    """What the user can do about a problem in a signal; "" if it is unknown."""
    return TROUBLES[problem].remedy if problem in TROUBLES else ""
