"""Simulated players of Carnuta. They see the public table and know the start cards that they took themselves.

Cards, bonus ingredients and markers are tapped. Which runes and which row is said with the green button, step by step,
or on the screen; into which column salt goes is said on the screen.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from msgspec import Struct

from companion.gamekit import ReaderKit, Seat, Snapshot, Thing
from companion.gamekit.simulated import Clear, HandAct, Lay, NextAct, PastStep, Press, Say, Tap, chance, shuffled
from companion.games.carnuta.components import BOARDS, INGREDIENTS, SALT, Card, Pair, Price, Side, price
from companion.games.carnuta.rules.payment import after_payment, can_pay, flipped
from companion.games.carnuta.rules.public_view import own_hand, unseen
from companion.games.carnuta.rules.scoring import needed, sets
from companion.games.carnuta.rules.state import (
    Action,
    Bonus,
    Deal,
    Discard,
    EndTurn,
    Flip,
    Play,
    Runes,
    Sickle,
    Start,
    State,
    Take,
)
from companion.games.carnuta.view import View

# --- What cards and runes are worth, from what all players can see --------------------------------------------

EXPECTED_CARDS = 12
"""So many cards does a player have in the end, more or less."""
LUCK = 0.12
"""So much of each kind of symbol is hoped for with each card that is still to come."""
SYMBOL = 0.4
"""The worth of a symbol that does not count yet."""
REMOVED, FLIPPED = 0.7, 0.15
"""What a rune is worth that a payment removes, or flips."""


class Own(Struct, frozen=True):
    """What a player has, as far as points are concerned."""

    have: Mapping[str, int]
    """Symbols."""
    counting: tuple[Card, ...]
    """The cards that count sets."""
    to_come: float
    """So many more cards will be played."""
    joker: bool = False
    """C7 Whether salt stays free until the scoring."""

    def counts_as(self, symbol: str, column: str) -> str:
        """C7 Salt is the ingredient of its column, or a joker."""
        return column if symbol == SALT and not self.joker else symbol


def own(table: View, seat: Seat, cards: Mapping[str, Card], hand: Iterable[str], joker: bool) -> Own:
    """What a player has played, and what they hold and hope to play."""
    have = Counter(table.bonus[seat])
    counting = []
    for column, played in table.columns[seat].items():
        for card in played:
            have.update(column if symbol == SALT and not joker else symbol for symbol in cards[card].symbols)
            counting.append(cards[card])
    for card in hand:
        counting.append(cards[card])
        have.update(symbol for symbol in cards[card].symbols if symbol != SALT or joker)
    to_come = max(0, EXPECTED_CARDS - len(counting)) if not table.last_round else 0
    return Own(have, tuple(card for card in counting if card.per), to_come, joker)


def worth(card: Card, column: str, owned: Own) -> float:
    """The points that a card will bring by itself, and those that its symbols bring to the others."""
    added = [owned.counts_as(symbol, column) for symbol in card.symbols]
    have = {**owned.have}
    for symbol in added:
        have[symbol] = have.get(symbol, 0) + 1
    hope = owned.to_come * LUCK
    points = hoped_points(card, have, hope)
    for other in owned.counting:
        if other is not card and (SALT in added or any(symbol in added for symbol in other.per or ())):
            points += hoped_points(other, have, hope) - hoped_points(other, owned.have, hope)
    return points + SYMBOL * len(card.symbols) * bool(owned.to_come)


def hoped_points(card: Card, have: Mapping[str, int], hope: float) -> float:
    """C15, with a little hope: a set that is nearly complete is worth something."""
    if card.per is None:
        return card.points
    sure, short = sets(card, have), len(card.per)
    hoped = min([(have.get(kind, 0) + hope) / need for kind, need in needed(card.per)]) + have.get(SALT, 0) / short
    return card.points * (sure + max(0.0, hoped - sure) * 0.8)


def best_column(card: Card, owned: Own) -> str:
    """C7 Where salt does the most good."""
    if card.ingredient != SALT:
        return card.ingredient
    return max(INGREDIENTS, key=lambda column: worth(card, column, owned))


def expense(cost: Price) -> float:
    """What a payment takes away."""
    removed = cost.remove.sun + cost.remove.moon
    return REMOVED * removed + FLIPPED * (cost.suns + cost.moons - removed)


def chances(
    runes: Pair[int],
    hand: Iterable[str],
    prices: Mapping[str, Price],
    worths: Mapping[str, float],
    flipped_pays: bool,
) -> float:
    """What these runes promise: the best card that they pay, a little for the next one, and a mixture of faces."""
    payable = sorted((worths[card] for card in hand if can_pay(runes, prices[card], flipped_pays)), reverse=True)
    promise = sum(value * share for value, share in zip(payable, (1.0, 0.3), strict=False))
    return promise + 0.5 * (runes.sun + runes.moon) + 0.5 * min(runes.sun, runes.moon)


HAND = 3
"""C13 More hand cards than that are no use at the end of a turn."""
POOR_MARKET = 2.5
"""A row is swept with a sickle if its best card is worth less."""
BUTTONS = 0.4
"""How often a player uses the green button where the screen would do."""
NOT_MINE = ("not for now", "not in the hand", "cannot pay this", "lies elsewhere")
"""Refusals that a player gets who remembers their start card wrongly."""


class Memory(Struct, frozen=True):
    starts: dict[Seat, tuple[int, str]] = {}
    """The start card that each one took: game of the match, card."""


class Players:
    """What each of them does next. Any player who forgot their start card (after a restart) never plays it."""

    def __init__(self, seed: int, seats: frozenset[Seat], kit: ReaderKit) -> None:
        self._seed, self._seats, self._kit = seed, sorted(seats), kit
        self.memory = Memory()
        self.deals = False

    def table_does(self, state: State) -> tuple[str, ...]:
        """C1, C3 Start cards and rows are dealt by simulated hands. C7 Into which column a start card of salt goes is
        for its player to say."""
        return ("deal",) if state.options.start_card == "played" else ("deal", "start")

    def from_hand(self, state: State) -> tuple[str, ...]:
        """C17 As long as a player holds a card that no other player knows, they alone see what they can play."""
        if state.phase == "start":
            return ("start",)
        hides = state.turn is not None and state.players[state.turn].secret is not None
        return ("play", "discard") if hides else ()

    def dealt(self, game: int, past: Sequence[PastStep], state: State, seat: Seat) -> Sequence[Thing]:
        """C1 The start card, until it is named; then what is in the hand. C17 If it was seen elsewhere, all that it
        could be: its player says which one it is."""
        if state.phase != "start" or seat < state.starting:
            own = own_hand(state, seat)
            deck = state.cards[own.secret].deck if own.secret and own.seen_elsewhere else None
            return [Thing("card", card) for card in (*own.cards, *(unseen(state, deck) if deck else ()))]
        cards = self._start_cards(tuple(card.id for card in state.box.cards), game, seat, len(state.players))
        return [Thing("card", cards[0])]

    def plan(self, snapshot: Snapshot) -> NextAct | None:
        """What comes next; None when only a person can go on."""
        if snapshot.awaiting is None or not (self._seats or self.deals):
            return None
        (seat,) = snapshot.awaiting.seats
        if snapshot.table.phase == "deal":
            return self._deal(snapshot, seat)
        helped = self.deals and snapshot.table.phase == "start" and snapshot.options["start_card"] == "hand"
        if seat not in self._seats and not helped:
            return None
        if snapshot.table.phase == "start":
            return self._start(snapshot, seat)
        return self._act(snapshot, seat)

    def mistakes(self, snapshot: Snapshot, plan: NextAct) -> Sequence[HandAct]:
        """What hands might do wrong just before this plan. Nothing of it changes the game."""
        wrong = {
            "start": self._wrong_starts,
            "deal": self._wrong_deals,
            "act": self._wrong_actions,
            "bonus": self._wrong_bonuses,
        }
        return list(wrong[snapshot.table.phase](snapshot, plan))

    # --- Start cards ------------------------------------------------------------------------------------------

    def _start(self, snapshot: Snapshot, seat: Seat) -> NextAct:
        """C1 A random card; if another player has it already (C17 no player knows), the next one."""
        game, players = len(snapshot.match), len(snapshot.players)
        cards = self._start_cards(tuple(card.id for card in snapshot.box.cards), game, seat, players)
        card = cards[_times(snapshot, "no start card")]
        self.memory = Memory(self.memory.starts | {seat: (len(snapshot.match), card)})
        think_ms = self._chance(snapshot, "start", seat).randint(700, 1500)
        known = _cards(snapshot)[card]
        if known.ingredient == SALT and snapshot.options["start_card"] == "played":
            column = self._chance(snapshot, "salt", seat).choice(INGREDIENTS)
            return NextAct(seat, think_ms, Say(Start(seat, card, column)), decides=False)
        return NextAct(seat, think_ms, Lay(Thing("card", card), seat), then=(Clear(seat),), decides=False)

    def _start_cards(self, cards: tuple[str, ...], game: int, seat: Seat, players: int) -> tuple[str, ...]:
        """C1 Shuffled: the first is this seat's start card, the others would be if another player had that one."""
        return shuffled(cards, self._seed, game, "start")[seat::players]

    def _wrong_starts(self, snapshot: Snapshot, plan: NextAct) -> Iterator[HandAct]:
        yield Press("red", plan.seat)
        yield Tap(Thing("bonus", INGREDIENTS[0]))
        yield Tap(Thing("marker", owner=plan.seat))

    # --- Filling the rows -------------------------------------------------------------------------------------

    def _deal(self, snapshot: Snapshot, turn: Seat) -> NextAct:
        """C3 The player in turn deals; for a person the next simulated neighbour does, or else a helping hand."""
        seat = next((seat for seat in self._seats if seat >= turn), self._seats[0] if self._seats else turn)
        table: View = snapshot.table
        think_ms = self._chance(snapshot, "deal", table.decks.sun, table.decks.moon).randint(700, 1100)
        return NextAct(seat, think_ms, Tap(self._top_card(snapshot)), decides=False)

    def _top_card(self, snapshot: Snapshot) -> Thing:
        """Each deck lies as the seed has shuffled it. A start card is not in it, as long as its player hides it."""
        hidden = self._hiding(snapshot)
        starts = self.memory.starts.items()
        taken = {card for seat, (game, card) in starts if game == len(snapshot.match) and seat in hidden}
        taken |= self._in_persons_hands(snapshot)
        deck = [action.card for action in snapshot.offered if isinstance(action, Deal) and action.card not in taken]
        deck.sort()
        chance(self._seed, len(snapshot.match), "deck", *deck).shuffle(deck)
        return Thing("card", deck[_times(snapshot, "not in the deck") % len(deck)])

    def _in_persons_hands(self, snapshot: Snapshot) -> set[str]:
        """The start cards that were dealt to persons and lie nowhere yet."""
        if not self.deals:
            return set()
        cards, players = tuple(card.id for card in snapshot.box.cards), len(snapshot.players)
        persons = [seat for seat in self._hiding(snapshot) if seat not in self._seats]
        return {self._start_cards(cards, len(snapshot.match), seat, players)[0] for seat in persons}

    def _hiding(self, snapshot: Snapshot) -> list[Seat]:
        """C17 Who holds a card that no other player knows."""
        table: View = snapshot.table
        return [seat for seat, held in enumerate(table.hands) if held > len(table.known[seat])]

    def _wrong_deals(self, snapshot: Snapshot, plan: NextAct) -> Iterator[HandAct]:
        yield Press("green", plan.seat)
        table: View = snapshot.table
        yield from (Tap(Thing("card", card)) for card in (*table.rows.sun, *table.rows.moon))
        yield from (Tap(Thing("card", card)) for hand in table.known for card in hand)
        if self._kit == "full" and isinstance(plan.act, Tap):
            yield Tap(plan.act.piece, plan.seat)

    # --- A turn -----------------------------------------------------------------------------------------------

    def _act(self, snapshot: Snapshot, seat: Seat) -> NextAct:
        mind = Mind(snapshot, seat, self._start_card(snapshot, seat))
        luck = self._chance(snapshot, "act", seat, snapshot.table.actions_left, len(mind.hand), snapshot.table.phase)
        action = mind.decide(luck)
        return NextAct(seat, luck.randint(800, 2500), self._gesture(snapshot, action, luck))

    def _start_card(self, snapshot: Snapshot, seat: Seat) -> str | None:
        """C17 A player's own secret, as long as they have it and remember it."""
        game, card = self.memory.starts.get(seat, (None, None))
        hidden = snapshot.table.hands[seat] > len(snapshot.table.known[seat])
        mistaken = any(_times(snapshot, what) for what in NOT_MINE)
        return card if hidden and game == len(snapshot.match) and not mistaken else None

    def _gesture(self, snapshot: Snapshot, action: Action, luck: Random) -> HandAct:
        """How hands tell an action."""
        match action:
            case Take(_, card) | Discard(_, card) | Play(_, card, None):
                return Tap(Thing("card", card))
            case Bonus(_, ingredient):
                return Tap(Thing("bonus", ingredient))
            case EndTurn(seat):
                by_button = snapshot.draft is None and luck.random() < 0.5
                return Press("green", seat) if by_button else Tap(Thing("marker", owner=seat))
            case Runes(seat) | Flip(seat) | Sickle(seat) if luck.random() < BUTTONS:
                return Press("green", seat, held=snapshot.draft == action)
        return Say(action)

    def _wrong_actions(self, snapshot: Snapshot, plan: NextAct) -> Iterator[HandAct]:
        table: View = snapshot.table
        yield from self._wrong_pieces(snapshot, plan.seat)
        if table.actions_left:
            yield Press("red", plan.seat)
            yield Tap(Thing("marker", owner=plan.seat))
            held = table.known[plan.seat]
            yield from (Tap(Thing("card", card)) for card in held if card not in table.payable)
        else:
            yield from (Tap(Thing("card", card)) for card in (*table.rows.sun, *table.rows.moon))

    def _wrong_pieces(self, snapshot: Snapshot, seat: Seat) -> Iterator[HandAct]:
        yield Tap(Thing("bonus", INGREDIENTS[seat]))
        if len(snapshot.players) < BOARDS:
            yield Tap(Thing("marker", owner=BOARDS - 1))
        for other in self._seats:
            if other != seat:
                yield Tap(Thing("marker", owner=other))
                yield Say(Flip(other, "sun"))
                if self._kit == "full":
                    yield Tap(Thing("marker", owner=other), seat)

    def _wrong_bonuses(self, snapshot: Snapshot, plan: NextAct) -> Iterator[HandAct]:
        yield Press("green", plan.seat)
        yield Tap(Thing("marker", owner=plan.seat))
        table: View = snapshot.table
        yield from (Tap(Thing("bonus", ingredient)) for taken in table.bonus for ingredient in taken)
        yield from (Tap(Thing("card", card)) for card in table.rows.sun)

    # --- Chance -----------------------------------------------------------------------------------------------

    def _chance(self, snapshot: Snapshot, *what: int | str) -> Random:
        return chance(self._seed, len(snapshot.match), snapshot.table.round, *what)


def _cards(snapshot: Snapshot) -> dict[str, Card]:
    return {card.id: card for card in snapshot.box.cards}


def _times(snapshot: Snapshot, what: str) -> int:
    """How often this was said since the last thing that counted."""
    count = 0
    for told in reversed(snapshot.history):
        if told.kind in ("accepted", "undone"):
            break
        count += told.what == what
    return count


# --- Making up one's mind -------------------------------------------------------------------------------------


class Mind:
    """One player looks at the table and at their cards, and weighs what they may do."""

    def __init__(self, snapshot: Snapshot, seat: Seat, start_card: str | None) -> None:
        self._snapshot, self._seat = snapshot, seat
        self._table: View = snapshot.table
        self._cards = _cards(snapshot)
        self._prices: dict[str, Price] = {}
        self.hand = (*self._table.known[seat], *([start_card] if start_card else []))
        joker = snapshot.options.get("salt") == "joker"
        self._flipped_pays = bool(snapshot.options.get("flipped_pays"))
        self._own = own(self._table, seat, self._cards, (), joker)
        self._hoping = own(self._table, seat, self._cards, self.hand, joker)
        self._worths = {card: self._worth(card) for card in self.hand}

    def decide(self, luck: Random) -> Action:
        """The action that promises most. Only what is allowed is weighed."""
        actions: list[Action] = [action for action in self._snapshot.offered if self._is_mine(action)]
        return max(actions, key=lambda action: self._weigh(action) + luck.random() * 0.5)

    def _is_mine(self, action: Action) -> bool:
        """C17 Everything that the secret card could be is offered: its owner knows which it is."""
        return action.card in self.hand if isinstance(action, Play | Discard) else True

    def _weigh(self, action: Action) -> float:
        match action:
            case Play(_, card, column):
                return self._play(card, column or self._cards[card].ingredient)
            case Take(_, card):
                return self._take(card)
            case Runes(_, face, count):
                return self._change(self._with_runes(face, count))
            case Flip(_, face, count):
                fewer = self._snapshot.options.get("flip") == "any" and isinstance(count, int)
                turned = count if fewer else self._runes.of(face)
                return self._change(flipped(self._runes, face, turned)) - 1.0
            case Sickle(_, row):
                return self._sweep(row)
            case Discard(_, card):
                return -self._worths[card]
            case Bonus(_, ingredient):
                return worth(_symbol(ingredient), ingredient, self._hoping)
        return 0.0

    @property
    def _runes(self) -> Pair[int]:
        return self._table.runes[self._seat]

    def _price(self, card: str) -> Price:
        if card not in self._prices:
            self._prices[card] = price(self._cards[card])
        return self._prices[card]

    def _worth(self, card: str) -> float:
        known = self._cards[card]
        owned = self._hoping if card not in self.hand else self._own
        return worth(known, best_column(known, owned), owned) - expense(self._price(card))

    def _play(self, card: str, column: str) -> float:
        """C4 What the card brings, and what the runes that are left still promise."""
        cost = self._price(card)
        left = after_payment(self._runes, cost)
        rest = [other for other in self.hand if other != card]
        brings = worth(self._cards[card], column, self._own) - expense(cost)
        return 8 + brings + 0.3 * self._chances(left, rest)

    def _take(self, card: str) -> float:
        """C3 A card for later, better one that can be paid; with a full hand only one that is played at once."""
        payable = can_pay(self._runes, self._price(card), self._flipped_pays)
        at_once = payable and self._table.actions_left == 2
        worth = self._worth(card)
        full = len(self.hand) >= HAND
        late = self._table.last_round and not at_once
        return (0.7 + 0.3 * at_once) * worth + 2.0 * payable + 3.0 * at_once - 6.0 * (full and not at_once) - 9.0 * late

    def _change(self, runes: Pair[int]) -> float:
        """C9, C10 What other runes promise more than these."""
        return 1.0 + self._chances(runes, self.hand) - self._chances(self._runes, self.hand)

    def _with_runes(self, face: Side, count: object) -> Pair[int]:
        runes = self._runes
        free = self._table.slots[self._seat] - runes.sun - runes.moon
        most = min(free, self._table.reserve.of(face))
        fewer = self._snapshot.options.get("partial_runes")
        return runes.with_(face, runes.of(face) + (count if fewer and isinstance(count, int) else most))

    def _chances(self, runes: Pair[int], hand: Sequence[str]) -> float:
        prices: Mapping[str, Price] = {card: self._price(card) for card in hand}
        return chances(runes, hand, prices, self._worths, self._flipped_pays)

    def _sweep(self, row: Side) -> float:
        """C11 A row with nothing good in it, if there are actions left to profit by."""
        if self._table.actions_left < 2 or len(self.hand) >= HAND:
            return -20.0
        best = max(self._worth(card) for card in self._table.rows.of(row))
        return 30.0 if best < POOR_MARKET else -20.0


def _symbol(ingredient: str) -> Card:
    """C8 A bonus ingredient, as if it were a card with nothing but its symbol."""
    return Card(ingredient, "sun", ingredient, (ingredient,), (), 0)
