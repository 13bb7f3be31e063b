"""Simulated players of Whist: they follow the simplest maxims. Second hand low, third hand high, fourth as cheaply as
they can."""

from collections.abc import Sequence

from companion.gamekit import ReaderKit, Seat, Snapshot, Thing
from companion.gamekit.simulated import HandAct, NextAct, PastStep, Press, Tap, chance
from whist.components import PLAYERS, Box, Card
from whist.rules import State
from whist.view import Table


class Players:
    """They remember nothing: a deal is the seed's, and all that was played is on the table."""

    memory = None
    deals = True

    def __init__(self, seed: int, seats: frozenset[Seat], kit: ReaderKit) -> None:
        self._seed, self._seats, self._kit = seed, seats, kit

    def plan(self, snapshot: Snapshot) -> NextAct | None:
        table: Table = snapshot.table
        seat = table.turn
        if seat is None or seat not in self._seats:
            return None
        luck = chance(self._seed, len(snapshot.match), table.deal, len(table.gone), seat)
        hand = self._hand(snapshot.box, len(snapshot.match), table.deal, table.dealer, seat)
        if table.trump is None:
            return NextAct(seat, 1500, Tap(Thing("card", hand[-1].id), seat))
        card = _choice(snapshot.box, table, seat, [card for card in hand if card.id not in table.gone])
        return NextAct(seat, luck.randint(700, 1800), Tap(Thing("card", card.id), seat))

    def mistakes(self, snapshot: Snapshot, plan: NextAct) -> Sequence[HandAct]:
        """A card of an earlier trick, or a button that means nothing."""
        table: Table = snapshot.table
        return [*(Tap(Thing("card", card), plan.seat) for card in table.gone[-2:]), Press("red", plan.seat)]

    def dealt(self, game: int, past: Sequence[PastStep], state: State, seat: Seat) -> Sequence[Thing]:
        gone = {*state.trick, *(card for _leader, trick in state.tricks for card in trick)}
        hand = self._hand(state.box, game, len(state.results) + 1, state.dealer, seat)
        return [Thing("card", card.id) for card in hand if card.id not in gone]

    def from_hand(self, state: State) -> tuple[str, ...]:
        return ("play",)

    def table_does(self, state: State) -> tuple[str, ...]:
        """The simulated pack is dealt by itself: its last card is turned up, too."""
        return ("turn up",)

    def _hand(self, box: Box, game: int, deal: int, dealer: Seat, seat: Seat) -> list[Card]:
        """W2 The last card of all is the dealer's."""
        pack = list(box.cards)
        chance(self._seed, game, "deal", deal).shuffle(pack)
        return [card for place, card in enumerate(pack) if (dealer + 1 + place) % PLAYERS == seat]


def _choice(box: Box, table: Table, seat: Seat, hand: Sequence[Card]) -> Card:
    by_id = {card.id: card for card in box.cards}
    trump = by_id[table.trump or ""].suit
    if table.leader is None:
        return _lead(hand, trump)
    laid = {each: by_id[card] for each, card in enumerate(table.trick) if card}
    led = laid[table.leader].suit
    hand = [card for card in hand if card.suit == led] or hand

    def strength(card: Card) -> tuple[bool, bool, int]:
        return card.suit == trump, card.suit == led, card.value

    best = max(laid, key=lambda each: strength(laid[each]))
    winning = [card for card in hand if strength(card) > strength(laid[best])]
    low = min(hand, key=lambda card: (card.suit == trump, card.value))
    partner_wins = best == (seat + 2) % PLAYERS
    if not winning or len(laid) == 1 or (partner_wins and len(laid) == PLAYERS - 1):
        return low
    return min(winning, key=strength) if len(laid) == PLAYERS - 1 else max(winning, key=strength)


def _lead(hand: Sequence[Card], trump: str) -> Card:
    """An ace of a plain suit, else low from the longest suit."""
    plain = [card for card in hand if card.suit != trump] or list(hand)
    top = max(plain, key=lambda card: card.value)
    if top.value == max(card.value for card in hand) and top.value >= 14:
        return top
    longest = max({card.suit for card in plain}, key=lambda suit: (sum(card.suit == suit for card in plain), suit))
    return min((card for card in plain if card.suit == longest), key=lambda card: card.value)
