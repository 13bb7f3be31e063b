"""What the players of Lascaux agree on before a game."""

from typing import Annotated, Literal

from msgspec import Struct

from companion.gamekit import N_, option


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    stones: Annotated[
        Literal["open", "secret"],
        option(N_("Stones of the others (L20)"), open=N_("are seen by all"), secret=N_("are secret until the end")),
    ] = "open"
    tie: Annotated[
        Literal["shared", "stones"],
        option(
            N_("Two with the most points (L19)"),
            shared=N_("share the victory"),
            stones=N_("the one with more stones wins"),
        ),
    ] = "shared"
    direction: Annotated[
        Literal["clockwise", "anticlockwise"],
        option(N_("Direction of play (L21)"), clockwise=N_("clockwise"), anticlockwise=N_("anticlockwise")),
    ] = "clockwise"
    first_stone: Annotated[
        Literal["may", "must"],
        option(
            N_("The start player of a round (L7)"), may=N_("may pass at once"), must=N_("has to lay the first stone")
        ),
    ] = "may"
    match: Annotated[
        Literal["alternate", "keep"],
        option(
            N_("In the next game of a match (L21)"),
            alternate=N_("play goes the other way round"),
            keep=N_("play goes the same way round"),
        ),
    ] = "alternate"
