"""The rules of Whist, point by point. README.md has the rulings W1 to W9 in words."""

from itertools import combinations
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit import Game, Part, Refusal, Ruling, Score, Seat, Setup, Step, partners
from whist import components, sentences
from whist.components import PLAYERS, SUITS, Box, Card
from whist.view import Options, Table

TEAMS = partners(PLAYERS)
"""W1 Partners sit opposite each other."""


class TurnUp(Struct, frozen=True, tag_field="do", tag="turn up"):
    """The dealer turns up the last card of the pack. Its suit is trump."""

    seat: Seat
    card: str


class Play(Struct, frozen=True, tag_field="do", tag="play"):
    """A card of the player's hand, face up, to the trick."""

    seat: Seat
    card: str


Action: TypeAlias = TurnUp | Play


class State(Struct, frozen=True):
    """No hand is in it: all cards are dealt face down, and the referee learns of one when it is played."""

    box: Box
    options: Options
    dealer: Seat
    turn: Seat
    trump: str | None = None
    trick: tuple[str, ...] = ()
    """From the leader on, clockwise."""
    tricks: tuple[tuple[Seat, tuple[str, ...]], ...] = ()
    """Of this deal, each with its leader."""
    lacks: tuple[frozenset[str], ...] = (frozenset(),) * PLAYERS
    """W6 The suits that each player did not follow."""
    results: tuple[tuple[int, int], ...] = ()
    """The tricks of both sides in each deal."""

    @property
    def over(self) -> bool:
        return max(points(self)) >= self.options.target

    @property
    def leader(self) -> Seat:
        return (self.turn - len(self.trick)) % PLAYERS


def setup(agreed: Setup) -> State:
    """W2 The player to the right of the first leader deals."""
    return State(agreed.box, agreed.options, dealer=(agreed.first - 1) % PLAYERS, turn=agreed.first)


def apply(state: State, action: Action) -> Step[State] | Refusal:
    if state.over:
        return Refusal("W8", "the game is over")
    if not 0 <= action.seat < PLAYERS:
        return Refusal("W9", "no such player", {"number": action.seat})
    if not any(card.id == action.card for card in state.box.cards):
        return Refusal("W9", "no such card", {"card": action.card})
    return turn_up(state, action) if isinstance(action, TurnUp) else play(state, action)


def turn_up(state: State, action: TurnUp) -> Step[State] | Refusal:
    """W2 The suit of the last card is trump. The card belongs to the dealer."""
    if state.trump:
        return Refusal("W2", "trump is known", {"card": state.trump})
    if action.seat != state.dealer:
        return Refusal("W2", "not the dealer", {"seat": action.seat, "dealer": state.dealer})
    facts = {"seat": action.seat, "card": action.card, "suit": _card(state.box, action.card).suit}
    return Step(replace(state, trump=action.card), (Ruling("W2", "is trump", facts),))


def play(state: State, action: Play) -> Step[State] | Refusal:
    """W3 In turn, clockwise. W4 A player who can follow suit must."""
    seat = action.seat
    if not state.trump:
        return Refusal("W2", "no trump yet", {"dealer": state.dealer})
    if seat != state.turn:
        return Refusal("W3", "out of turn", {"seat": seat, "turn": state.turn})
    if action.card in _played(state):
        return Refusal("W9", "played already", {"card": action.card})
    if action.card == state.trump and seat != state.dealer:
        return Refusal("W9", "belongs to the dealer", {"card": action.card, "dealer": state.dealer})
    suit = _card(state.box, action.card).suit
    if suit in state.lacks[seat]:
        return Refusal("W6", "a revoke", {"seat": seat, "suit": suit, "number": _denied(state, seat, suit)})
    after = _laid(state, seat, action.card)
    if not _possible(after):
        return Refusal("W6", "somebody revoked", {"card": action.card})
    said = Ruling("W4", "plays", {"seat": seat, "card": action.card})
    if len(after.trick) < PLAYERS:
        return Step(replace(after, turn=(seat + 1) % PLAYERS), (said,))
    return take(after, said)


def take(state: State, said: Ruling) -> Step[State]:
    """W5 The highest trump takes the trick, else the highest card of the suit led. Its player leads the next one."""
    leader = (state.turn - PLAYERS + 1) % PLAYERS
    winner = winner_of(state, leader, state.trick)
    after = replace(state, turn=winner, trick=(), tricks=(*state.tricks, (leader, state.trick)))
    best = state.trick[(winner - leader) % PLAYERS]
    taken = Ruling("W5", "takes the trick", {"seat": winner, "card": best, "tricks": _tricks(after)[winner % 2]})
    if len(after.tricks) < state.box.hand:
        return Step(after, (said, taken))
    return end_deal(after, (said, taken))


def end_deal(state: State, said: tuple[Ruling, ...]) -> Step[State]:
    """W7 Each trick above the book is a point. W2 The deal passes to the left."""
    result = _tricks(state)
    side = 0 if result[0] > result[1] else 1
    dealer = (state.dealer + 1) % PLAYERS
    after = State(state.box, state.options, dealer, (dealer + 1) % PLAYERS, results=(*state.results, result))
    odd = result[side] - state.box.book
    scored = Ruling("W7", "scores", {"seats": TEAMS[side], "tricks": result[side], "points": odd})
    if result[0] == result[1]:
        scored = Ruling("W7", "no odd trick", {"tricks": result[0]})
    if after.over:
        return Step(
            after, (*said, scored, Ruling("W8", "wins the game", {"seats": TEAMS[side], "points": points(after)[side]}))
        )
    return Step(after, (*said, scored, Ruling("W2", "deals next", {"seat": dealer})))


def winner_of(state: State, leader: Seat, trick: tuple[str, ...]) -> Seat:
    """W5"""
    assert state.trump
    cards = [_card(state.box, card) for card in trick]
    trump, led = _card(state.box, state.trump).suit, cards[0].suit
    best = max(cards, key=lambda card: (card.suit == trump, card.suit == led, card.value))
    return (leader + cards.index(best)) % PLAYERS


def points(state: State) -> tuple[int, int]:
    """W7 Of both sides, from all deals."""
    ours, theirs = (sum(max(0, result[side] - state.box.book) for result in state.results) for side in (0, 1))
    return ours, theirs


def legal(state: State) -> list[Action]:
    if state.over:
        return []
    if not state.trump:
        return [TurnUp(state.dealer, card.id) for card in state.box.cards]
    cards = [Play(state.turn, card.id) for card in state.box.cards]
    return [action for action in cards if isinstance(play(state, action), Step)]


def scores(state: State) -> tuple[Score, ...]:
    """W7 Partners score together: both have all points of their side."""
    return tuple(Score(seat, _parts(state, seat % 2)) for seat in range(PLAYERS))


def table(state: State) -> Table:
    by_seat = dict(zip(_from(state.leader), state.trick, strict=False))
    leader, last = state.tricks[-1] if state.tricks else (0, ())
    before = dict(zip(_from(leader), last, strict=False))
    return Table(
        deal=len(state.results) + 1,
        dealer=state.dealer,
        trump=state.trump,
        turn=None if state.over else state.turn if state.trump else state.dealer,
        trick=tuple(by_seat.get(seat) for seat in range(PLAYERS)),
        leader=state.leader if state.trick else None,
        last=tuple(before.get(seat) for seat in range(PLAYERS)),
        tricks=_tricks(state),
        points=points(state),
        held=tuple(_held(state, seat) for seat in range(PLAYERS)),
        lacks=tuple(tuple(suit for suit in SUITS if suit in lacking) for lacking in state.lacks),
        gone=tuple(card for _leader, trick in state.tricks for card in trick),
    )


def _laid(state: State, seat: Seat, card: str) -> State:
    """W6 A player who does not follow suit has none of it."""
    led = _card(state.box, state.trick[0]).suit if state.trick else None
    follows = led in (None, _card(state.box, card).suit)
    lacks = state.lacks if follows else (*state.lacks[:seat], state.lacks[seat] | {led}, *state.lacks[seat + 1 :])
    return replace(state, trick=(*state.trick, card), lacks=lacks)


def _possible(state: State) -> bool:
    """W6 Whether the cards that were not seen can be in four hands, each without the suits that its player lacks: any
    suits together need enough places in the hands of players who may hold one of them."""
    known = {*_played(state), state.trump}
    unseen = [card.suit for card in state.box.cards if card.id not in known]
    places = [_held(state, seat) for seat in range(PLAYERS)]
    if state.trump not in _played(state):
        places[state.dealer] -= 1
        if _card(state.box, state.trump or "").suit in state.lacks[state.dealer]:
            return False
    return min(places) >= 0 and all(
        sum(suit in suits for suit in unseen)
        <= sum(place for place, lacks in zip(places, state.lacks, strict=True) if not lacks.issuperset(suits))
        for count in range(1, len(SUITS) + 1)
        for suits in combinations(SUITS, count)
    )


def _held(state: State, seat: Seat) -> int:
    laid = seat in _from(state.leader)[: len(state.trick)]
    return state.box.hand - len(state.tricks) - int(laid)


def _from(leader: Seat) -> list[Seat]:
    return [(leader + place) % PLAYERS for place in range(PLAYERS)]


def _played(state: State) -> set[str]:
    return {*state.trick, *(card for _leader, trick in state.tricks for card in trick)}


def _tricks(state: State) -> tuple[int, int]:
    won = [winner_of(state, leader, trick) % 2 for leader, trick in state.tricks]
    return won.count(0), won.count(1)


def _denied(state: State, seat: Seat, suit: str) -> int:
    """The first trick of this deal in which this player did not follow this suit."""
    for number, (leader, trick) in enumerate(state.tricks, 1):
        own = trick[(seat - leader) % PLAYERS]
        if _card(state.box, trick[0]).suit == suit != _card(state.box, own).suit:
            return number
    raise AssertionError(f"{seat} followed {suit}")


def _parts(state: State, side: int) -> tuple[Part, ...]:
    return tuple(
        Part(
            str(number),
            result[side] - state.box.book,
            "W7",
            "deal",
            {"number": number, "tricks": result[side], "seats": TEAMS[side]},
        )
        for number, result in enumerate(state.results, 1)
        if result[side] > state.box.book
    )


def _card(box: Box, card_id: str) -> Card:
    return next(card for card in box.cards if card.id == card_id)


GAME: Game[State, Action] = Game(
    name="whist",
    players=range(PLAYERS, PLAYERS + 1),
    options=Options,
    actions=(TurnUp, Play),
    form="W9",
    standin=components.standin,
    parse_box=components.parse_box,
    pieces=components.pieces,
    setup=setup,
    apply=apply,
    legal=legal,
    scores=scores,
    teams=partners,
    table=table,
    per_player=("trick", "last", "held", "lacks"),
    seats=("dealer", "turn", "leader"),
    sentences=sentences.SENTENCES,
    word=sentences.word,
)
