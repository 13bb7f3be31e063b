"""The rules of Whist, point by point. README.md has the rulings W1 to W9 in words."""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit import (
    N_,
    Derived,
    FaceDown,
    Facts,
    Game,
    GameAction,
    Part,
    PerSeat,
    Refusal,
    Ruling,
    Score,
    Seat,
    Setup,
    Step,
    Tally,
    Unshown,
    clockwise,
    partners,
    with_item,
)
from companion.gamekit.playing_cards import CardBox, PlayingCard
from whist.components import PACK, PLAYERS, TEAMS
from whist.options import Options
from whist.sentences import SENTENCES


class TurnUp(GameAction, frozen=True, tag="turn up"):
    """The last card of the pack. Its suit is trump."""

    card: str


class Play(GameAction, frozen=True):
    """A card of the player's hand, face up, to the trick."""

    seat: Seat
    card: str


class State(Struct, frozen=True):
    """No hand is in it: all cards are dealt face down, and the referee learns of one when it is played."""

    box: Unshown[CardBox]
    cards: Unshown[Mapping[str, PlayingCard]]
    options: Unshown[Options]
    dealer: Seat
    turn: Seat
    trump: str | None = None
    """The suit; None: no card has been turned up yet."""
    turned_up: str | None = None
    """The card, as long as the dealer holds it."""
    trick: PerSeat[str | None] = (None,) * PLAYERS
    leader: Seat | None = None
    """Who led to this trick."""
    tricks: tuple[int, int] = (0, 0)
    """Of each side in this deal."""
    lacks: PerSeat[tuple[str, ...]] = ((),) * PLAYERS
    """W6 The suits that each player did not follow in this deal."""
    gone: PerSeat[tuple[str, ...]] = ((),) * PLAYERS
    """What each player has played to earlier tricks of this deal."""
    results: tuple[tuple[int, int], ...] = ()
    """The tricks of both sides in each deal."""

    @property
    def hand(self) -> int:
        """As many cards as each player is dealt, and as many tricks as a deal has."""
        return len(self.cards) // PLAYERS

    @property
    def book(self) -> int:
        """W7 So many tricks count nothing: six of thirteen."""
        return self.hand // 2

    @property
    def points(self) -> Derived[tuple[int, int]]:
        """W7 Each trick above the book is a point."""
        ours, theirs = (sum(max(0, deal[side] - self.book) for deal in self.results) for side in (0, 1))
        return ours, theirs

    @property
    def held(self) -> Derived[PerSeat[int]]:
        """How many cards each player has left. The turned-up card is the dealer's."""
        left = self.hand - sum(self.tricks)
        missing = self.dealer if self.trump is None else None
        return tuple(left - bool(card) - (seat == missing) for seat, card in enumerate(self.trick))

    @property
    def played(self) -> set[str]:
        return {card for cards in (*self.gone, self.trick) for card in cards if card}


def setup(agreed: Setup) -> State:
    """W2 The player to the right of the first leader deals."""
    cards = {card.id: card for card in agreed.box.cards}
    return State(agreed.box, cards, agreed.options, dealer=(agreed.first - 1) % PLAYERS, turn=agreed.first)


def legal(state: State) -> list[TurnUp | Play]:
    """W8 Until one side has the points for the game. W6 Anything that a player can hold; cards of a suit are alike, but
    for the one that was turned up."""
    played = state.played
    unseen = [card for card in state.box.cards if card.id not in played]
    if max(state.points) >= state.options.target:
        return []
    if state.trump is None:
        return [TurnUp(card.id) for card in unseen]
    mine = [card for card in unseen if card.suit not in state.lacks[state.turn] and _may_hold(state, card.id)]
    alike = {(card.suit, card.id == state.turned_up): card.id for card in mine}
    possible = {kind: face_down(_laid(state, card)).is_possible for kind, card in alike.items()}
    return [Play(state.turn, card.id) for card in mine if possible[card.suit, card.id == state.turned_up]]


def perform(state: State, action: TurnUp | Play) -> Step[State]:
    """W2 The suit of the last card is trump. W3 The players follow clockwise."""
    card = state.cards[action.card]
    if isinstance(action, TurnUp):
        facts: Facts = {"seat": state.dealer, "card": card.id, "suit": card.suit}
        return Step(replace(state, trump=card.suit, turned_up=card.id), (Ruling("W2", "is trump", facts),))
    said = Ruling("W3", "plays", {"seat": action.seat, "card": card.id})
    after = _laid(state, card.id)
    return take(after, said) if None not in after.trick else Step(after, (said,))


def refusal(state: State, action: TurnUp | Play) -> Refusal | None:
    if max(state.points) >= state.options.target:
        return Refusal("W8", "the game is over")
    if action.card not in state.cards:
        return Refusal("W9", "no such card", {"card": action.card})
    if isinstance(action, TurnUp):
        return Refusal("W2", "trump is known", {"suit": state.trump}) if state.trump else None
    if state.trump is None:
        return Refusal("W2", "no trump yet", {"seat": state.dealer})
    if action.seat != state.turn:
        return Refusal("W3", "out of turn", {"seat": state.turn})
    if action.card in state.played:
        return Refusal("W9", "played already", {"card": action.card})
    if action.card == state.turned_up:
        return Refusal("W2", "belongs to the dealer", {"card": action.card, "seat": state.dealer})
    suit = state.cards[action.card].suit
    if suit in state.lacks[action.seat]:
        return Refusal("W6", "a revoke", {"seat": action.seat, "suit": suit})
    return Refusal("W6", "a player revoked", {"card": action.card})


def take(state: State, said: Ruling) -> Step[State]:
    """W5 The highest trump takes the trick, else the highest card of the suit led. Its player leads the next one."""
    winner = max(range(PLAYERS), key=lambda seat: _strength(state, state.trick[seat] or ""))
    tricks = with_item(state.tricks, winner % 2, state.tricks[winner % 2] + 1)
    facts: Facts = {"seat": winner, "card": state.trick[winner], "tricks": tricks[winner % 2]}
    taken = Ruling("W5", "takes the trick", facts)
    gone = tuple((*cards, card or "") for cards, card in zip(state.gone, state.trick, strict=True))
    after = replace(state, turn=winner, trick=(None,) * PLAYERS, leader=None, tricks=tricks, gone=gone)
    return Step(after, (said, taken)) if sum(tricks) < state.hand else end_deal(after, (said, taken))


def end_deal(state: State, said: tuple[Ruling, ...]) -> Step[State]:
    """W7 The side with more tricks scores. W2 The deal passes to the left. W8 Enough points end the game."""
    best = max(state.tricks)
    team = TEAMS[state.tricks.index(best)]
    scored = Ruling("W7", "scores", {"seats": team, "tricks": best, "points": best - state.book})
    if state.tricks[0] == state.tricks[1]:
        scored = Ruling("W7", "no odd trick", {"tricks": best})
    dealer, leader = clockwise(state.dealer, PLAYERS)[1:3]
    after = State(state.box, state.cards, state.options, dealer, leader, results=(*state.results, state.tricks))
    then = Ruling("W2", "deals next", {"seat": dealer})
    if max(after.points) >= state.options.target:
        then = Ruling("W8", "win the game", {"seats": team, "points": max(after.points)})
    return Step(after, (*said, scored, then))


def scores(state: State) -> tuple[Score, ...]:
    """W7 Partners score together: both have all points of their side."""
    return tuple(Score(seat, tuple(_parts(state, seat))) for seat in range(PLAYERS))


def _parts(state: State, seat: Seat) -> Iterator[Part]:
    for number, deal in enumerate(state.results, 1):
        made = deal[seat % 2]
        facts: Facts = {"number": number, "tricks": made, "seats": TEAMS[seat % 2]}
        if made > state.book:
            yield Part("odd tricks", made - state.book, "W7", "deal", facts)


def face_down(state: State) -> FaceDown:
    """W2 All cards are dealt; the last one is turned up and belongs to the dealer. W6 Who did not follow has none."""
    played = state.played
    unseen = tuple(card.id for card in state.box.cards if card.id not in played)
    known = {state.turned_up: state.dealer} if state.turned_up else {}
    lacks = tuple(frozenset(card for card in unseen if state.cards[card].suit in suits) for suits in state.lacks)
    return FaceDown(unseen, state.held, len(state.results), known, lacks)


def instruction(state: State) -> Ruling | None:
    """W2 Before a deal: who shuffles and deals."""
    return Ruling("W2", "deals now", {"seat": state.dealer}) if state.trump is None and legal(state) else None


def _may_hold(state: State, card: str) -> bool:
    return card != state.turned_up or state.turn == state.dealer


def _laid(state: State, card: str) -> State:
    """W6 A player who does not follow suit has none of it."""
    seat, leader = state.turn, state.turn if state.leader is None else state.leader
    trick, lacks = with_item(state.trick, seat, card), state.lacks
    led = state.cards[trick[leader] or ""].suit
    if led not in (state.cards[card].suit, *lacks[seat]):
        lacks = with_item(lacks, seat, (*lacks[seat], led))
    turned_up = state.turned_up if card != state.turned_up else None
    turn = (seat + 1) % PLAYERS
    return replace(state, trick=trick, turn=turn, leader=leader, lacks=lacks, turned_up=turned_up)


def _strength(state: State, card_id: str) -> tuple[bool, bool, int]:
    card = state.cards[card_id]
    led = state.cards[state.trick[state.leader or 0] or ""]
    return card.suit == state.trump, card.suit == led.suit, card.value


GAME: Game[State, TurnUp | Play] = Game(
    name="whist",
    players=range(PLAYERS, PLAYERS + 1),
    teams=partners,
    options=Options,
    actions=(TurnUp, Play),
    form="W9",
    standin=PACK.standin,
    parse_box=PACK.parse_box,
    pieces=PACK.pieces,
    state=State,
    setup=setup,
    legal=legal,
    perform=perform,
    refusal=refusal,
    scores=scores,
    face_down=face_down,
    instruction=instruction,
    tallies=(Tally(N_("Tricks taken"), rulings=("takes the trick",)),),
    sentences=SENTENCES,
    word=PACK.word,
)
