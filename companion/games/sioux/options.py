"""What the players of Sioux agree on before a game."""

from typing import Annotated, Literal

from msgspec import Struct

from companion.gamekit import N_, option


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    hunter_blocks_swap: Annotated[
        bool,
        option(
            N_("Two highest cards beside the hunter (S10)"),
            {True: N_("do not swap"), False: N_("swap all the same")},
        ),
    ] = True
    gift_after_swap: Annotated[
        Literal["both", "riser"],
        option(N_("Gifts after a swap (S18)"), both=N_("both may claim"), riser=N_("only the player who gained")),
    ] = "both"
    last_card: Annotated[
        Literal["after_round", "at_once"],
        option(
            N_("After a player's last card (S22)"),
            after_round=N_("all take up after the round"),
            at_once=N_("all take up at once"),
        ),
    ] = "after_round"
    no_deer: Annotated[
        Literal["nothing", "other_prey"],
        option(
            N_("The hunter, if no deer is left (S10)"),
            nothing=N_("takes nothing"),
            other_prey=N_("takes other prey worth 3"),
        ),
    ] = "nothing"
    gift_ends: Annotated[
        Literal["after_gifts", "at_once"],
        option(
            N_("A gift that brings a player to 20 (S19)"),
            after_gifts=N_("all gifts come first"),
            at_once=N_("ends the hunting at once"),
        ),
    ] = "after_gifts"
