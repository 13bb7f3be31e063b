"""What all players of GOPS can see and agree on."""

from typing import Annotated, Literal

from msgspec import Struct

from companion.gamekit import N_, option


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    tie: Annotated[
        Literal["carry", "discard"],
        option(
            N_("When the highest bid was made twice (G6)"),
            carry=N_("the prize stays for the next round"),
            discard=N_("the prize leaves the game"),
        ),
    ] = "carry"


class Table(Struct, frozen=True):
    round: int
    phase: Literal["prize", "bid", "over"]
    deck: int
    prizes: tuple[str, ...]
    hands: tuple[int, ...]
    bids: tuple[bool, ...]
    spent: tuple[tuple[str, ...], ...]
    """Bids of earlier rounds, so each player can work out what the others still hold."""
    won: tuple[tuple[str, ...], ...]
    lost: tuple[str, ...]
