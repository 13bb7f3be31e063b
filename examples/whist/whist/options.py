"""What the players of Whist agree on."""

from typing import Annotated, Literal

from msgspec import Struct

from companion.gamekit import N_, option


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    target: Annotated[
        Literal[5, 7, 10],
        option(
            N_("Points for the game (W8)"), **{"5": N_("5 (short whist)"), "7": N_("7"), "10": N_("10 (long whist)")}
        ),
    ] = 5
