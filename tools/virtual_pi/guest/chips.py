"""Inside the guest: plays the chips behind /dev/vspi, with the models that the tests use; hands come over a socket.

    echo "lay 0 04A1B2C3D4E5F6" | nc -U /run/chips

`lay CHIP UID`, `lift CHIP UID`, `unplug CHIP`, `plug CHIP`.
"""

import os
import select
import socket
import struct
import time
from pathlib import Path

from companion.simulation.hardware.chip import Chip
from companion.simulation.hardware.tags import Ntag

HEAD = struct.Struct("<BBBBII")
OFF, ON, TRANSFER = 0, 1, 2
SOCKET = Path("/run/chips")


def main() -> None:
    chips = {0: Chip()}
    tags: dict[str, Ntag] = {}
    wire = os.open("/dev/vspi", os.O_RDWR)
    SOCKET.unlink(missing_ok=True)
    hands = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    hands.bind(str(SOCKET))
    while True:
        ready, _, _ = select.select([wire, hands.fileno()], [], [])
        if hands.fileno() in ready:
            heed(hands.recv(200).decode(), chips, tags)
        if wire in ready:
            asked = os.read(wire, HEAD.size + 65536)
            os.write(wire, answer(asked, chips))


def answer(asked: bytes, chips: dict[int, Chip]) -> bytes:
    kind, select_line, _, _, _, length = map(int, HEAD.unpack(asked[: HEAD.size]))
    chip = chips.get(select_line)
    now_us = time.monotonic() * 1e6
    if chip is None:
        return b"\xff" * length
    if kind == ON:
        chip.select(now_us)
    elif kind == OFF:
        chip.deselect(now_us)
    return bytes(chip.exchange(octet, now_us) for octet in asked[HEAD.size :]) if kind == TRANSFER else b""


def heed(line: str, chips: dict[int, Chip], tags: dict[str, Ntag]) -> None:
    match line.split():
        case ["lay", number, uid]:
            chips[int(number)].field.place(tags.setdefault(uid, Ntag(bytes.fromhex(uid))))
        case ["lift", number, uid]:
            chips[int(number)].field.lift(tags[uid])
        case ["unplug", number]:
            chips[int(number)].faults.gone = 0x00
        case ["plug", number]:
            chips[int(number)].faults.clear()


if __name__ == "__main__":
    main()
