"""A small third-party game for tests: two rows of cards, a card from the hand to the row that fits. A row of three is
full: the player takes its cards, which are bull heads, and the fewest bull heads win.

`SOURCE` is all of it in one module; a test plants a bug by replacing some of its text.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import pytest

from companion.gamekit import discovery
from companion.gamekit.manifest import read_manifest
from companion.gamekit.screen.face_discovery import find_face
from tests.strangers import announce

SOURCE = '''
"""Bulls: lay a card to a row; the third card of a row takes the others. B1 to B5 are its rulings."""

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit import Aside, Draft, Game, Laid, Part, Refusal, Ruling, Score, Seat, Setup, Step, Tally, Thing
from companion.gamekit import is_name, read_box

MANIFEST = {"name": "bulls", "api": 1, "rules": "bulls:GAME", "words": "bulls:SENTENCES"}
SENTENCES = {
    "lays": "{seat} lays {card}",
    "takes": "{seat} takes {count:card|cards}",
    "not in hand": "{seat} does not hold {card}",
    "not your turn": "It is {turn}'s turn",
    "the game is over": "The game is over",
    "heads": "{seat} took {count:bull head|bull heads}",
}


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    cards: tuple[int, ...]


def standin():
    return 'game = "bulls"\\ncards = [1, 2, 3, 4, 5, 6, 7, 8]\\n'


def parse_box(text, origin):
    return read_box(text, origin, Box, lambda box: ())


def pieces(box):
    return [Thing("card", f"bull-{number}") for number in box.cards]


class Lay(Struct, frozen=True, tag_field="do", tag="lay"):
    seat: Seat
    card: str


class State(Struct, frozen=True):
    hands: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[str, ...], ...]
    taken: tuple[tuple[str, ...], ...]
    turn: Seat


def setup(agreed: Setup) -> State:
    cards = [piece.id for piece in pieces(agreed.box)]
    hands = tuple(tuple(cards[seat :: agreed.players]) for seat in range(agreed.players))
    return State(hands, ((), (), (), ()), ((),) * agreed.players, agreed.first)


def apply(state: State, action: Lay):
    if not any(state.hands):
        return Refusal("B5", "the game is over")
    if action.seat != state.turn:
        return Refusal("B2", "not your turn", {"turn": state.turn})
    if action.card not in state.hands[action.seat]:
        return Refusal("B3", "not in hand", {"seat": action.seat, "card": action.card})
    seat, card = action.seat, action.card
    hands = tuple(tuple(c for c in hand if c != card) for hand in state.hands)
    row = int(card.rpartition("-")[2]) % 4
    laid = (*state.rows[row], card)
    rulings = [Ruling("B3", "lays", {"seat": seat, "card": card})]
    taken = state.taken
    if len(laid) == 2:
        taken = tuple((*t, *laid) if s == seat else t for s, t in enumerate(taken))
        rulings.append(Ruling("B4", "takes", {"seat": seat, "count": len(laid)}))
        laid = ()
    rows = tuple(laid if r == row else cards for r, cards in enumerate(state.rows))
    turn = next((s % len(hands) for s in range(seat + 1, seat + 1 + len(hands)) if hands[s % len(hands)]), seat)
    return Step(State(hands, rows, taken, turn), tuple(rulings))


def legal(state: State):
    return [Lay(state.turn, card) for card in state.hands[state.turn]]


def scores(state: State):
    return tuple(
        Score(seat, (Part("heads", len(cards), "B5", "heads", {"seat": seat, "count": len(cards)}),))
        for seat, cards in enumerate(state.taken)
    )


class Table(Struct, frozen=True):
    rows: tuple[tuple[str, ...], ...]
    hands: tuple[int, ...]
    taken: tuple[tuple[str, ...], ...]
    turn: Seat
    start: int = 2


def table(state: State) -> Table:
    return Table(state.rows, tuple(map(len, state.hands)), state.taken, state.turn)


def whereabouts(state: State):
    from companion.gamekit import Place

    lying = {}
    for seat, hand in enumerate(state.hands):
        for card in hand:
            lying[Thing("card", card), Place("hand", seat)] = 1
        for card in state.taken[seat]:
            lying[Thing("card", card), Place("taken", seat)] = 1
    for row in state.rows:
        for card in row:
            lying[Thing("card", card), Place("row")] = 1
    return lying


GAME = Game(
    name="bulls",
    players=range(2, 5),
    actions=(Lay,),
    standin=standin,
    parse_box=parse_box,
    pieces=pieces,
    setup=setup,
    apply=apply,
    legal=legal,
    scores=scores,
    table=table,
    per_player=("hands", "taken"),
    seats=("turn",),
    whereabouts=whereabouts,
    lowest_wins=True,
    unit="{total:bull head|bull heads}",
    sentences=SENTENCES,
)
'''


def written(folder: Path, changes: Mapping[str, str] | None = None) -> Path:
    """The package in this folder, found by its entry point if the folder is on the path. Each text of `changes` is
    replaced by the other."""
    text = SOURCE
    for old, new in (changes or {}).items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bulls.py").write_text(text, encoding="utf-8")
    announce(folder, "bulls", "bulls")
    return folder


@contextmanager
def bulls_installed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, changes: Mapping[str, str] | None = None
) -> Iterator[None]:
    """As if it had been tried and found sound: what each test changes is for the contract to find."""
    monkeypatch.syspath_prepend(str(written(folder, changes)))
    manifest = read_manifest(import_module("bulls").MANIFEST)
    found = discovery.found()
    bulls = discovery.Found(found.manifests | {"bulls": manifest}, found.packages | {"bulls": "companion-bulls"}, ())
    monkeypatch.setattr(discovery, "_given", [bulls])
    discovery.found.cache_clear()
    find_face.cache_clear()
    try:
        yield
    finally:
        monkeypatch.undo()
        discovery.found.cache_clear()
        find_face.cache_clear()
        sys.modules.pop("bulls", None)
