"""The process of one bot: it reads positions from its standard input and answers each with an action.

It gets its seat's own view of the table, as a phone does, and nothing else: once it has read the first position it can
open no file and no socket, so there is no other way for anything to reach it. It ends when its referee does.
"""

import os
import sys
from contextlib import suppress
from typing import BinaryIO

import msgspec

from companion import crash
from companion.files import confine
from companion.gamekit import discovery
from companion.simulation.seat_position import decided, rehearse

PATIENCE = 5
"""How much the referee and the screens go before a bot (`nice`)."""


def serve(positions: BinaryIO, answers: BinaryIO) -> None:
    """The first line says which game is installed, every other one is a position."""
    discovery.rely_on(msgspec.json.decode(positions.readline(), type=discovery.Found))
    confined = False
    for position in positions:
        if not confined:
            rehearse(position)
            confine(opens_files=False)
            confined = True
        answers.write(decided(position) + b"\n")
        answers.flush()


def main() -> int:
    with suppress(OSError):
        os.nice(PATIENCE)
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:  # the referee has gone
        os._exit(0)
    except Exception as error:
        crash.tell(error)
        return crash.STATUS
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
