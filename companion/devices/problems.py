"""What can be wrong with a satellite, in a fixed vocabulary: these few words are shown to people, and translated.

A satellite puts one of them into `LinkDown.problem` or `ReaderFault.problem`, and nothing else.
"""

from companion.devices import buttons
from companion.devices.wire import FAULTS

UNPLUGGED = "unplugged"
NO_PERMISSION = "no permission"
IN_USE = "in use by another program"
NO_SERIAL_LINE = "not a serial line"
CANNOT_OPEN = "cannot be opened"
NO_ANSWER = "does not answer"
TOO_OLD = "firmware too old"
TOO_NEW = "firmware too new"
ANOTHER = "another satellite"
NO_PAD = "no such pad"
NO_READER = "no reader"
STUCK = (buttons.STUCK["green"], buttons.STUCK["red"])
"""As on the wire: 0 green, 1 red."""

OF_THE_LINE = (UNPLUGGED, CANNOT_OPEN, NO_SERIAL_LINE, IN_USE, NO_PERMISSION)
"""What is wrong before anybody has been asked. Here and below: what tells people more comes later."""
OF_THE_SATELLITE = (NO_ANSWER, ANOTHER, TOO_OLD, TOO_NEW)
OF_A_PAD = (NO_PAD, NO_READER, *STUCK, *FAULTS.values())

PROBLEMS = (*OF_THE_LINE, *OF_THE_SATELLITE, *OF_A_PAD)

REMEDIES = {
    UNPLUGGED: "plug the satellite in; is the port in table.toml the right one?",
    NO_PERMISSION: "let this user open serial lines: sudo usermod -aG dialout $USER, then log in again",
    IN_USE: "end the other program that uses this port; `fuser` with the port's name tells which",
    NO_SERIAL_LINE: "name the satellite's port in table.toml, or leave it out to have it looked for",
    CANNOT_OPEN: "unplug it and plug it in again; the kernel's messages (dmesg) tell more",
    NO_ANSWER: "is it a satellite, and its firmware flashed? Press its reset button, or plug it in again",
    TOO_OLD: "flash the firmware that came with this version: make -C firmware flash",
    TOO_NEW: "this program is older than the satellite's firmware: bring it up to date, or flash the older firmware",
    ANOTHER: "plug in the satellite whose serial number stands in table.toml, or change the number there",
    NO_PAD: "table.toml names a pad that this satellite does not have",
    NO_READER: "its firmware was built without readers: flash the one that came with this version",
    **dict.fromkeys(STUCK, "look at the button and its wires"),
    FAULTS[1]: "check the reader's power and its wires",
    FAULTS[2]: "unplug the satellite and plug it in again; if it comes again, the reader is broken",
    FAULTS[3]: "check the reader's wires; more than 20 cm are too long",
}
"""What a person can do about it."""
