"""Simulated players of Lascaux. They see the public table and know the markers that they laid themselves."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from random import Random

from msgspec import Struct

from companion.gamekit import ReaderKit, Seat, Snapshot, Thing
from companion.gamekit.simulated import Clear, HandAct, Lay, NextAct, PastStep, Press, Tap, chance, shuffled
from companion.games.lascaux.components import MARKER_SETS, Box, Card
from companion.games.lascaux.view import Table

DOUBT = 0.06
"""How often a player changes their mind after choosing."""
PROPOSE = 0.5
"""How often a stalemate makes a player propose the end."""
KEENNESS = 4
"""How sharply a colour that brings more is preferred."""
STONE_POINTS = 0.3
"""What a stone is worth: a sixth of a point, and the next auction."""
TAKEN = 1 / 3
"""How likely another bidder takes a given card: it shows two of six colours."""


class Memory(Struct, frozen=True):
    laid: dict[Seat, tuple[int, int, str]] = {}
    """The marker that each one laid last: game of the match, round, colour."""
    proposed: tuple[int, int] | None = None
    """When the end was proposed: game of the match, round."""


class Players:
    """What each of them does next. After a restart, players who forgot their marker bid by instinct, pass by button."""

    def __init__(self, seed: int, seats: frozenset[Seat], kit: ReaderKit) -> None:
        self._seed, self._seats, self._kit = seed, sorted(seats), kit
        self.memory = Memory()
        self.deals = False

    def table_does(self, state: object) -> tuple[str, ...]:
        """L2 Simulated hands draw the cards, no matter who starts."""
        return ("draw",)

    def from_hand(self, state: object) -> tuple[str, ...]:
        """Each player has all six markers."""
        return ()

    def dealt(self, game: int, past: Sequence[PastStep], state: object, seat: Seat) -> Sequence[Thing]:
        return ()

    def plan(self, snapshot: Snapshot) -> NextAct | None:
        """What comes next; None when only a person can go on."""
        if snapshot.awaiting is None:
            return None
        phase = snapshot.table.phase
        if phase == "draw":
            return self._draw(snapshot)
        if not self._seats:
            return None
        return self._choose(snapshot) if phase == "choose" else self._bid(snapshot)

    def mistakes(self, snapshot: Snapshot, plan: NextAct) -> Sequence[HandAct]:
        """What hands might do wrong just before this plan. Nothing of it changes the game."""
        wrong = {"draw": self._wrong_draws, "choose": self._wrong_choices, "bid": self._wrong_bids}
        return list(wrong[snapshot.table.phase](snapshot, plan))

    # --- Laying out cards -------------------------------------------------------------------------------------

    def _draw(self, snapshot: Snapshot) -> NextAct:
        """L2 The start player draws; for a person the next simulated neighbour does, or else a helping hand."""
        start = snapshot.table.start
        helping = [seat for seat in self._seats if seat >= start] or self._seats or [start]
        seat = helping[0]
        think_ms = self._chance(snapshot, "draw", snapshot.table.deck).randint(700, 1500)
        return NextAct(seat, think_ms, Tap(self._top_card(snapshot)), first=(Clear(),), decides=False)

    def _top_card(self, snapshot: Snapshot) -> Thing:
        """The deck lies as the seed has shuffled it: its top card is the first that no player has seen."""
        cards = tuple(card.id for card in snapshot.box.cards)
        deck = shuffled(cards, self._seed, len(snapshot.match), "deck")
        seen = {*snapshot.table.row, *(card for cards in snapshot.table.won for card in cards)}
        return Thing("card", next(card for card in deck if card not in seen))

    def _wrong_draws(self, snapshot: Snapshot, plan: NextAct) -> Iterator[HandAct]:
        yield Press("green", plan.seat)
        for card in snapshot.table.row:
            yield Tap(Thing("card", card))

    # --- Choosing a marker ------------------------------------------------------------------------------------

    def _choose(self, snapshot: Snapshot) -> NextAct | None:
        """L5 In an order that differs from round to round. L6 A player may change their mind."""
        table: Table = snapshot.table
        order = list(self._seats)
        self._chance(snapshot, "order").shuffle(order)
        if snapshot.awaiting and "end" in snapshot.awaiting.do and self._proposes(snapshot):
            self.memory = Memory(self.memory.laid, self._when(snapshot))
            return NextAct(order[0], 2000, Press("green", order[0], held=True), decides=False)
        for seat in order:
            if table.chosen[seat] and self._laid(snapshot, seat) not in (None, self._wish(snapshot, seat)):
                return self._lay(snapshot, seat, self._wish(snapshot, seat))
        for seat in order:
            if not table.chosen[seat]:
                return self._lay(snapshot, seat, self._first_wish(snapshot, seat))
        return None

    def _proposes(self, snapshot: Snapshot) -> bool:
        """L16 Once per round at most."""
        if self.memory.proposed == self._when(snapshot) or any(snapshot.table.chosen):
            return False
        return self._chance(snapshot, "propose").random() < PROPOSE

    def _lay(self, snapshot: Snapshot, seat: Seat, colour: str) -> NextAct:
        self.memory = Memory(self.memory.laid | {seat: (*self._when(snapshot), colour)}, self.memory.proposed)
        think_ms = self._chance(snapshot, "choose", seat, colour).randint(900, 3500)
        tidy = () if any(snapshot.table.chosen) else (Clear(),)
        return NextAct(seat, think_ms, Lay(Thing("marker", colour, seat), seat), first=tidy)

    def _first_wish(self, snapshot: Snapshot, seat: Seat) -> str:
        return favourite(snapshot.table, snapshot.box, seat, self._chance(snapshot, "wish", seat))

    def _wish(self, snapshot: Snapshot, seat: Seat) -> str:
        """The colour that this seat really wants, after a second thought."""
        if self._chance(snapshot, "doubt", seat).random() >= DOUBT:
            return self._first_wish(snapshot, seat)
        return favourite(snapshot.table, snapshot.box, seat, self._chance(snapshot, "second wish", seat))

    def _laid(self, snapshot: Snapshot, seat: Seat) -> str | None:
        """The marker that this seat laid this round, if they remember it."""
        game, round_, colour = self.memory.laid.get(seat, (None, None, None))
        return colour if (game, round_) == self._when(snapshot) else None

    def _wrong_choices(self, snapshot: Snapshot, plan: NextAct) -> Iterator[HandAct]:
        yield Press("red", plan.seat)
        if snapshot.table.deck:
            yield Tap(self._top_card(snapshot))
        if self._kit == "full":
            for other in self._seats:
                if other != plan.seat:
                    yield Tap(self._spare(snapshot, other), plan.seat)
        elif len(snapshot.players) < MARKER_SETS:
            yield Tap(Thing("marker", snapshot.box.colours[0], MARKER_SETS - 1))

    def _spare(self, snapshot: Snapshot, seat: Seat) -> Thing:
        """One of the markers that this seat did not lay."""
        laid = self._laid(snapshot, seat)
        return Thing("marker", next(colour for colour in snapshot.box.colours if colour != laid), seat)

    # --- Bidding ----------------------------------------------------------------------------------------------

    def _bid(self, snapshot: Snapshot) -> NextAct | None:
        """L7 Lay a stone, or pass."""
        (seat,) = snapshot.awaiting.seats if snapshot.awaiting else (-1,)
        if seat not in self._seats:
            return None
        table: Table = snapshot.table
        luck = self._chance(snapshot, "bid", seat, table.pot, len(table.pile), str(table.stones[seat]))
        think_ms = luck.randint(700, 2200)
        if _owes_first_stone(snapshot, seat):
            return NextAct(seat, think_ms, Press("green", seat))
        laid = self._laid(snapshot, seat)
        stumbled = _stumbled(snapshot, seat)
        if not stumbled and table.stones[seat] != 0 and stays(table, snapshot.box, seat, laid, luck):
            return NextAct(seat, think_ms, Press("green", seat))
        if laid and not stumbled and luck.random() < 0.5:
            return NextAct(seat, think_ms, Tap(Thing("marker", laid, seat)))
        return NextAct(seat, think_ms, Press("red", seat), then=(Clear(seat),))

    def _wrong_bids(self, snapshot: Snapshot, plan: NextAct) -> Iterator[HandAct]:
        if self._laid(snapshot, plan.seat):
            yield Tap(self._spare(snapshot, plan.seat))
        for other in self._seats:
            if other != plan.seat and self._kit == "full":
                yield Press("green", other)
            elif other != plan.seat:
                yield Tap(self._spare(snapshot, other))

    # --- Chance -----------------------------------------------------------------------------------------------

    def _when(self, snapshot: Snapshot) -> tuple[int, int]:
        return len(snapshot.match), snapshot.table.round

    def _chance(self, snapshot: Snapshot, *what: int | str) -> Random:
        return chance(self._seed, *self._when(snapshot), *what)


def _owes_first_stone(snapshot: Snapshot, seat: Seat) -> bool:
    """L7 With the option; L9 unless they have none, which with secret stones they are told when they try."""
    table: Table = snapshot.table
    first = snapshot.options.get("first_stone") == "must" and not table.pot and not table.pile
    return first and table.stones[seat] != 0 and "no stones left" not in _complaints(snapshot, seat)


def _stumbled(snapshot: Snapshot, seat: Seat) -> bool:
    """Since the last thing that counted, they were told that something was refused: no stones (L9), another marker."""
    return bool(_complaints(snapshot, seat))


def _complaints(snapshot: Snapshot, seat: Seat) -> list[str]:
    """What they were told since the last thing that counted."""
    since = takewhile(lambda told: told.kind not in ("accepted", "undone"), reversed(snapshot.history))
    return [told.what for told in since if told.kind in ("refused", "foreign") and told.facts.get("seat") == seat]


# --- What cards are worth -------------------------------------------------------------------------------------


def favourite(table: Table, box: Box, seat: Seat, luck: Random) -> str:
    """A colour that brings much, mostly; rarely one that no card shows, to live on stones for a round."""
    worth = points(table, box, seat)
    return luck.choices(box.colours, [worth[colour] ** KEENNESS + 0.05 for colour in box.colours])[0]


def stays(table: Table, box: Box, seat: Seat, laid: str | None, luck: Random) -> bool:
    """Whether one more stone is worth it: what staying to the last brings more than passing now, against the pot.

    A player who passes may still get their cards, if none of the others who are left takes them first."""
    others = len(table.chosen) - len(table.pile) - 1
    worth = points(table, box, seat)
    wanted = [worth[colour] for colour in ([laid] if laid else box.colours)]
    more = sum(wanted) / len(wanted) * (1 - (1 - TAKEN) ** others)
    return more * luck.uniform(0.7, 1.4) > STONE_POINTS * (table.pot + 1)


def points(table: Table, box: Box, seat: Seat) -> dict[str, float]:
    """What the cards of each colour in the row may be worth for this seat in the end."""
    cards = {card.id: card for card in box.cards}
    herds = [Counter([cards[card].animal for card in won]) for won in table.won]
    row = [(cards[card].colours, _worth(cards[card], herds, seat)) for card in table.row]
    return {colour: sum([worth for colours, worth in row if colour in colours]) for colour in box.colours}


def _worth(card: Card, herds: list[Counter[str]], seat: Seat) -> float:
    """L17 Only the most cards of an animal score: a card counts most for the player who defends a lead with it."""
    own = herds[seat][card.animal]
    rival = max(herd[card.animal] for other, herd in enumerate(herds) if other != seat)
    if own >= rival:
        return 1.0 + 0.8 * own
    return 0.8 if own == rival - 1 else 0.1
