"""What the players of Sir Tommy agree on."""

from typing import Annotated, Literal

from msgspec import Struct

from companion.gamekit import N_, option


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    heaps: Annotated[
        Literal[4, 3],
        option(N_("How many heaps there are (T3)"), **{"4": N_("four"), "3": N_("three (harder)")}),
    ] = 4
