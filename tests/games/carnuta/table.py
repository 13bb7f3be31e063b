"""A small vocabulary for tests of Carnuta: Table(2).ready().take("egg-1").deals("egg-3").flip("sun").done()."""

from collections.abc import Iterable
from typing import Any, Self

import msgspec
from msgspec.structs import replace

from companion.gamekit.game import Refusal, Ruling, Setup
from companion.games.carnuta.components import Box, Card, Pair, parse_box, standin
from companion.games.carnuta.options import Options
from companion.games.carnuta.rules import GAME
from companion.games.carnuta.rules.state import (
    Action,
    Bonus,
    Deal,
    Discard,
    EndTurn,
    Flip,
    Holdings,
    Play,
    Played,
    Runes,
    Sickle,
    Start,
    State,
    Take,
)

from . import make_standin

STANDIN = parse_box(standin(), "the stand-in box")
MIXED = parse_box(make_standin.box(make_standin.mixed), "a box with every ingredient in both decks")
CARDS = {card.id: card for card in MIXED.cards}
SUN = tuple(card.id for card in MIXED.cards if card.deck == "sun")
MOON = tuple(card.id for card in MIXED.cards if card.deck == "moon")

SUN_ROW = ("honey-2", "clover-1", "flower-2", "egg-1")
MOON_ROW = ("honey-1", "clover-2", "flower-1", "egg-2")
START = ("skull-1", "berry-2", "moth-1", "skull-4")
"""Start cards of seats 0 to 3."""


def box_of(*cards: Card) -> Box:
    """A box with these cards, filled up to 72 with free moon moths that bring nothing."""
    others = [Card(f"moth {number}", "moon", "moth", ("moth",), (), 0) for number in range(72 - len(cards))]
    return Box("carnuta", "enrolled", (*cards, *others))


def box_text(box: Box) -> str:
    """The file that such a box is read from: in TOML a text or a list of texts is written as in JSON."""
    blocks = [f'game = "carnuta"\nprovenance = "{box.provenance}"\n']
    for card in box.cards:
        fields = {key: value for key, value in msgspec.to_builtins(card).items() if value is not None}
        lines = [f"{key} = {msgspec.json.encode(value).decode()}" for key, value in fields.items()]
        blocks.append("\n".join(["[[cards]]", *lines]) + "\n")
    return "\n".join(blocks)


class Table:
    """A table in play. Everything that is done must be allowed, except what `refused` tries."""

    def __init__(self, players: int = 2, first: int = 0, *, box: Box = MIXED, **options: Any) -> None:
        self.state: State = GAME.setup(Setup(players, first, Options(**options), box))
        self.rulings: tuple[Ruling, ...] = ()
        self.revealed: tuple[int, ...] = ()
        """What was ruled at the last step, and whose secret came to light."""

    def do(self, action: Action) -> Self:
        outcome = GAME.apply(self.state, action)
        assert not isinstance(outcome, Refusal), f"{action} was refused: {outcome}"
        self.state, self.rulings, self.revealed = outcome.state, outcome.rulings, outcome.revealed
        return self

    def refused(self, action: Action) -> Refusal:
        before = self.state
        outcome = GAME.apply(self.state, action)
        assert isinstance(outcome, Refusal), f"{action} was not refused"
        assert self.state == before
        return outcome

    # What players do; whose turn it is does it

    def starts(self, *cards: str) -> Self:
        return self._all(Start(seat, card) for seat, card in enumerate(cards))

    def deals(self, *cards: str) -> Self:
        """Each into the row that waits for one."""
        for card in cards:
            self.do(Deal(self.state.due, card))
        return self

    def ready(self) -> Self:
        """Every player has a start card, both rows lie there."""
        return self.starts(*START[: len(self.state.players)]).deals(*SUN_ROW, *MOON_ROW)

    def take(self, card: str) -> Self:
        return self.do(Take(self.seat, card))

    def play(self, *cards: str, as_: str | None = None) -> Self:
        return self._all(Play(self.seat, card, as_) for card in cards)

    def choose(self, ingredient: str) -> Self:
        return self.do(Bonus(self.seat, ingredient))

    def fill(self, *faces: str) -> Self:
        return self._all(Runes(self.seat, face) for face in faces)

    def flip(self, *faces: str) -> Self:
        return self._all(Flip(self.seat, face) for face in faces)

    def sickle(self, row: str) -> Self:
        return self.do(Sickle(self.seat, row))

    def discard(self, *cards: str) -> Self:
        return self._all(Discard(self.seat, card) for card in cards)

    def done(self) -> Self:
        return self.do(EndTurn(self.seat))

    def idle_turn(self) -> Self:
        """A turn that only flips runes."""
        face = "sun" if self.state.players[self.seat].runes.sun else "moon"
        return self.flip(face, "moon" if face == "sun" else "sun").done()

    def idle_turns(self, count: int) -> Self:
        for _ in range(count):
            self.idle_turn()
        return self

    def _all(self, actions: Iterable[Action]) -> Self:
        for action in actions:
            self.do(action)
        return self

    # Tables that are not at their beginning

    def with_player(self, seat: int = 0, **fields: Any) -> Self:
        player = replace(self.state.players[seat], **fields)
        players = self.state.players[:seat] + (player,) + self.state.players[seat + 1 :]
        self.state = replace(self.state, players=players)
        return self

    def with_runes(self, sun: int, moon: int, seat: int = 0) -> Self:
        """The reserve gives and takes what this changes."""
        before, reserve = self.state.players[seat].runes, self.state.reserve
        self.state = replace(
            self.state, reserve=Pair(reserve.sun + before.sun - sun, reserve.moon + before.moon - moon)
        )
        return self.with_player(seat, runes=Pair(sun, moon))

    def holding(self, *cards: str, seat: int = 0) -> Self:
        """These cards come from the decks to the hand."""
        self._draw(cards)
        return self.with_player(seat, hand=(*self.state.players[seat].hand, *cards))

    def having_played(self, *cards: str, seat: int = 0) -> Self:
        """These cards come from the decks; "salt-1:egg" is salt in the egg column."""
        self._draw([card.split(":")[0] for card in cards])
        played = [Played(card.split(":")[0], self._column(card)) for card in cards]
        return self.with_player(seat, played=(*self.state.players[seat].played, *played))

    def with_deck(self, row: str, *cards: str, discards: tuple[str, ...] = ()) -> Self:
        """Only these are left in a deck; all others that were in it have been played by seat 1."""
        gone = [card for card in self.state.decks.of(row) if card not in (*cards, *discards)]
        self._draw([*gone, *discards])
        self.state = replace(self.state, discards=self.state.discards.with_(row, discards))
        player = self.state.players[1]
        return self.with_player(1, played=(*player.played, *(Played(card, "egg") for card in gone)))

    def over_with(self, *played: str) -> Self:
        """Over, and each player has played some cards: "egg-1 salt-2:moth"."""
        for seat, cards in enumerate(played):
            self.having_played(*cards.split(), seat=seat)
        self.state = replace(self.state, phase="over", turn=None, actions_left=0, last_round=True)
        return self

    def _draw(self, cards: Iterable[str]) -> None:
        decks = {face: dict(self.state.decks.of(face)) for face in ("sun", "moon")}
        for card in cards:
            del decks[self.state.cards[card].deck][card]
        self.state = replace(self.state, decks=Pair(decks["sun"], decks["moon"]))

    def _column(self, card: str) -> str:
        name, _, column = card.partition(":")
        return column or self.state.cards[name].ingredient

    # What is to be seen

    def __getattr__(self, name: str) -> Any:
        """Table(2).reserve: what the public table says."""
        return getattr(GAME.table(self.state), name)

    @property
    def seat(self) -> int:
        assert self.state.turn is not None
        return self.state.turn

    @property
    def player(self) -> Holdings:
        """Whose turn it is."""
        return self.state.players[self.seat]

    @property
    def board(self) -> tuple[int, int]:
        """Suns and moons of whose turn it is."""
        return self.player.runes.sun, self.player.runes.moon

    @property
    def ruled(self) -> list[tuple[str | None, str]]:
        return [(ruling.rule, ruling.what) for ruling in self.rulings]

    @property
    def may(self) -> tuple[str, ...]:
        awaiting = GAME.awaiting(self.state)
        return awaiting.do if awaiting else ()

    @property
    def totals(self) -> list[int]:
        return [score.total for score in GAME.scores(self.state)]

    @property
    def winners(self) -> tuple[int, ...]:
        return GAME.winners(self.state)

    def points(self, seat: int = 0) -> dict[str, int]:
        return {part.for_: part.points for part in GAME.scores(self.state)[seat].parts}
