"""Inside the guest: plays the reader behind /dev/vspi and the fingers on /dev/vgpio, instead of the cable to the bench.

On a busy machine each byte's way out and back would take longer than a driver waits for a chip. What hands do still
comes from outside: "lay UID" and "lift UID" on one line, "5 0" and "5 1" on the other.
"""

import os
import select
import struct
import threading
import time

from companion.simulation.hardware.chip import Chip
from companion.simulation.hardware.tags import Tag, sticker

QUESTION = struct.Struct("<IBBH")
"""See guest/vspi.c."""
PAUSE_S = 0.05


def main() -> None:
    chip, tags = Chip(), dict[str, Tag]()
    threading.Thread(target=play, args=(chip, _opened("/dev/vspi")), daemon=True).start()
    pins, hands, fingers = _opened("/dev/vgpio"), _Lines("/dev/virtio-ports/spi"), _Lines("/dev/virtio-ports/header")
    while True:
        ready = select.select([hands.line, fingers.line], [], [])[0]
        for line in hands.read() if hands.line in ready else ():
            heed(chip, tags, line)
        for line in fingers.read() if fingers.line in ready else ():
            os.write(pins, line.encode())


def play(chip: Chip, bus: int) -> None:
    while True:
        os.write(bus, answer(chip, os.read(bus, QUESTION.size + 4096)))


def answer(chip: Chip, asked: bytes) -> bytes:
    """The question's number comes first. There is one reader, at the first select line."""
    _, select_line, fresh, _ = QUESTION.unpack_from(asked)
    sent, now_us = asked[QUESTION.size :], time.monotonic() * 1e6
    if select_line:
        return asked[:4] + b"\xff" * len(sent)
    if fresh:
        chip.select(now_us)
    return asked[:4] + bytes(chip.exchange(octet, now_us) for octet in sent)


def heed(chip: Chip, tags: dict[str, Tag], line: str) -> None:
    match line.split():
        case ["lay", uid]:
            chip.field.place(tags.setdefault(uid, sticker(uid)))
        case ["lift", uid]:
            chip.field.lift(tags.setdefault(uid, sticker(uid)))


class _Lines:
    """What comes from outside, line by line."""

    def __init__(self, path: str) -> None:
        self.line, self._heard = _opened(path), b""

    def read(self) -> list[str]:
        piece = os.read(self.line, 4096)
        if not piece:  # nobody is outside
            time.sleep(PAUSE_S)
        *lines, self._heard = (self._heard + piece).split(b"\n")
        return [line.decode() for line in lines]


def _opened(path: str) -> int:
    """Also if whoever has it lets it go a moment later."""
    while True:
        try:
            return os.open(path, os.O_RDWR)
        except OSError:
            time.sleep(PAUSE_S)


if __name__ == "__main__":
    main()
