"""What the players of Darwinci agree on before a game."""

from typing import Annotated, Literal

from msgspec import Struct

from companion.gamekit import N_, option


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    minus: Annotated[
        Literal["owe", "floor"],
        option(N_("Who cannot pay (D13)"), owe=N_("owes the rest"), floor=N_("pays what there is")),
    ] = "owe"
    run: Annotated[
        Literal["whole", "part"],
        option(
            N_("Scoring a line with jewellery (D15)"),
            whole=N_("the whole line counts"),
            part=N_("any part of it may count"),
        ),
    ] = "whole"
    tie: Annotated[
        Literal["clockwise", "nearest"],
        option(N_("A tie in the auction (D7)"), clockwise=N_("first one clockwise"), nearest=N_("the player nearest")),
    ] = "clockwise"
    larger: Annotated[
        Literal["tiles", "darwin"],
        option(
            N_("The larger creature in a final tie (D20)"), tiles=N_("has more tiles"), darwin=N_("paid more Darwin")
        ),
    ] = "tiles"
