"""What a game is: its record, its looks, its simulated players, its enrolment, defaults for what it leaves out, an
ordinary pack of cards, and the contract.

Imported by: all packages above it, and third-party packages.

Here are the names that rules, words and components need. A game's looks are made of `companion.gamekit.screen`, its
simulated players of `companion.gamekit.simulated`, its enrolment of `companion.gamekit.enrolment`; its tests subclass
`companion.gamekit.contract.GameContract`. docs/add-a-game.md builds a game step by step.
"""

from companion.errors import BoxError
from companion.gamekit.box import entry, is_name, problems_with_each, read_box
from companion.gamekit.ending import partners, together
from companion.gamekit.game import (
    Aside,
    Awaiting,
    Draft,
    FaceDown,
    Game,
    GameAction,
    Gesture,
    Laid,
    Move,
    Part,
    Place,
    Pushed,
    Refusal,
    Ruling,
    Score,
    Seat,
    Setup,
    Step,
    Tally,
    Thing,
    Whereabouts,
    awaited,
    moves,
    no_word,
)
from companion.gamekit.seat_values import chosen_seats, clockwise, highest, missing_seats, no_such_seat, with_item
from companion.gamekit.snapshot import Snapshot, Told
from companion.gamekit.state_fields import Counted, Derived, PerSeat, Private, Sealed, Unshown, shown_as
from companion.gamekit.table_options import option
from companion.language.facts import N_, Fact, Facts, Translate
from companion.language.wording import Naming, Said, numeral, plain
from companion.stations import ReaderKit

__all__ = [
    "N_",
    "Aside",
    "Awaiting",
    "BoxError",
    "Counted",
    "Derived",
    "Draft",
    "FaceDown",
    "Fact",
    "Facts",
    "Game",
    "GameAction",
    "Gesture",
    "Laid",
    "Move",
    "Naming",
    "Part",
    "PerSeat",
    "Place",
    "Private",
    "Pushed",
    "ReaderKit",
    "Refusal",
    "Ruling",
    "Said",
    "Score",
    "Sealed",
    "Seat",
    "Setup",
    "Snapshot",
    "Step",
    "Tally",
    "Thing",
    "Told",
    "Translate",
    "Unshown",
    "Whereabouts",
    "awaited",
    "chosen_seats",
    "clockwise",
    "entry",
    "highest",
    "is_name",
    "missing_seats",
    "moves",
    "no_such_seat",
    "no_word",
    "numeral",
    "option",
    "partners",
    "plain",
    "problems_with_each",
    "read_box",
    "shown_as",
    "together",
    "with_item",
]
