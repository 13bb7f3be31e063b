"""What the players of Carnuta agree on before a game."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.gamekit import N_, option


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    start_card: Annotated[
        Literal["hand", "played"],
        option(N_("The first card (C1)"), hand=N_("is kept in hand"), played=N_("is played at once")),
    ] = "hand"
    partial_runes: Annotated[
        bool,
        option(N_("Fewer runes than possible (C9)"), {True: N_("may be taken"), False: N_("may not be taken")}),
    ] = False
    sickles_per_turn: Annotated[
        int,
        Meta(ge=1),
        option(N_("Sickles in one turn (C11)"), {1: N_("one"), 2: N_("two"), 3: N_("three")}),
    ] = 1
    last_round: Annotated[
        bool,
        option(
            N_("After eleven cards (C14)"),
            {True: N_("one more round is played"), False: N_("the game ends with the round")},
        ),
    ] = True
    flipped_pays: Annotated[
        bool,
        option(
            N_("A rune turned by the same payment (C5)"),
            {False: N_("pays nothing more"), True: N_("may pay again")},
        ),
    ] = False
    flip: Annotated[
        Literal["all", "any"],
        option(N_("Flipping runes of one face (C10)"), all=N_("all of them"), any=N_("as many as you like")),
    ] = "all"
    salt: Annotated[
        Literal["column", "joker"],
        option(
            N_("Salt symbols at the scoring (C7, C15)"),
            column=N_("count as their column's ingredient"),
            joker=N_("count as whatever is missing"),
        ),
    ] = "column"
