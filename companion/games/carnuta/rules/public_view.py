"""What leaves the rules of Carnuta: who may do what, the public table, where the pieces lie. Never a secret card."""

from collections import Counter
from collections.abc import Iterable, Iterator

from companion.gamekit import Awaiting, Place, Ruling, Seat, Setup, Thing, Whereabouts, shown_as
from companion.games.carnuta.components import (
    BOARDS,
    FACES,
    INGREDIENTS,
    PADLOCKS_EACH,
    SALT,
    SICKLES_EACH,
    SLOTS,
    TRACK,
    Box,
    Pair,
    Side,
)
from companion.games.carnuta.rules.engine import HAND_LIMIT, START_RUNES, is_unnamed, setup
from companion.games.carnuta.rules.payment import can_pay
from companion.games.carnuta.rules.state import (
    Action,
    Bonus,
    Deal,
    Discard,
    EndTurn,
    Flip,
    Holdings,
    Play,
    Runes,
    Sickle,
    Start,
    State,
    Take,
    unfolded,
)
from companion.games.carnuta.rules.turn import ROW, free_slots, most_runes
from companion.games.carnuta.view import OwnHand, Table, View

# --- Where the pieces should be, from what all players can see --------------------------------------------------


def layout(seen: View) -> Whereabouts:
    """C17 A secret start card is only said to be in its hand."""
    lying: Counter[tuple[Thing, Place]] = Counter()
    for face in FACES:
        lying[Thing("card"), Place(f"{face} deck")] = seen.decks.of(face)
        lying.update((Thing("card", card), Place(f"{face} row")) for card in seen.rows.of(face))
        lying[Thing("card"), Place(f"{face} discards")] = seen.discards.of(face)
        lying[Thing("rune"), Place(f"{face} reserve")] = seen.reserve.of(face)
    lying.update((Thing("bonus", ingredient), Place("supply")) for ingredient in seen.bonus_left)
    for seat in range(len(seen.hands)):
        _lay_seen_board(lying, seen, seat)
    return lying


def _lay_seen_board(lying: Counter[tuple[Thing, Place]], seen: View, seat: int) -> None:
    lying.update((Thing("card", card), Place("hand", seat)) for card in seen.known[seat])
    lying[Thing("start card", owner=seat), Place("hand", seat)] = seen.hands[seat] - len(seen.known[seat])
    for ingredient, cards in seen.columns[seat].items():
        lying.update((Thing("card", card), Place(f"{ingredient} column", seat)) for card in cards)
    for face in FACES:
        lying[Thing("rune"), Place(f"{face}s", seat)] = seen.runes[seat].of(face)
    lying[Thing("sickle"), Place("sickles", seat)] = seen.sickles[seat]
    lying.update((Thing("bonus", ingredient), Place("board", seat)) for ingredient in seen.bonus[seat])
    lying[Thing("marker", owner=seat), Place(f"field {seen.marker[seat]}", seat)] = 1


# --- Setting up the table, in the order of the rule book ------------------------------------------------------


def preparation(agreed: Setup) -> tuple[Ruling, ...]:
    """C1 Decks, boards with padlocks, runes and the reserve, sickles, bonus ingredients, start cards and both rows."""
    return tuple(_steps(agreed))


def _steps(agreed: Setup) -> Iterator[Ruling]:
    begun = setup(agreed)
    yield Ruling("C1", "set up the decks", {"suns": len(begun.decks.sun), "moons": len(begun.decks.moon)})
    yield Ruling("C1", "set up the boards", {"count": PADLOCKS_EACH, "slots": SLOTS})
    yield Ruling("C1", "set up the runes", {"suns": START_RUNES.sun, "moons": START_RUNES.moon})
    yield Ruling("C1", "set up the reserve", {"suns": begun.reserve.sun, "moons": begun.reserve.moon})
    yield Ruling("C11", "set up the sickles", {"count": SICKLES_EACH})
    yield Ruling("C8", "set up the bonus", {"ingredients": INGREDIENTS})
    if agreed.players < BOARDS:
        yield Ruling("C1", "set up the rest", {"count": BOARDS - agreed.players})
    secret = agreed.options.start_card == "hand"
    yield Ruling("C17" if secret else "C1", "set up secret cards" if secret else "set up open cards")
    yield Ruling("C1", "set up the rows", {"count": ROW})
    yield Ruling("C2", "set up the start", {"start": agreed.first})


# --- Who may do what ------------------------------------------------------------------------------------------


def legal(state: State) -> list[Action]:
    """Every action that would be accepted now. `count` left out stands for the count that is as high as possible."""
    if state.phase == "act":
        return _turn(state, state.players[_seat(state)].hand)
    if state.phase == "deal":
        return _deals(state, state.decks.of(_face(state)))
    if state.phase == "bonus":
        return [Bonus(_seat(state), ingredient) for ingredient in state.bonus_left]
    if state.phase == "start":
        return _starts(state, [card for face in FACES for card in state.decks.of(face)])
    return []


def offered(state: State) -> list[Action]:
    """What a screen may offer. C17 Wherever a start card that no player knows would be named, or would be missing, all
    cards that it could be are offered."""
    if state.phase == "act":
        return _turn(state, _hand(state, state.players[_seat(state)]))
    if state.phase == "deal":
        return _deals(state, unseen(state, _face(state)))
    if state.phase == "start":
        return _starts(state, [card for face in FACES for card in unseen(state, face)])
    return legal(state)


def unseen(state: State, face: Side) -> list[str]:
    """C17 The cards of a deck that lie face down somewhere: in the deck, or as a start card in a hand."""
    hidden = {player.secret for player in state.players}
    deck = state.decks.of(face)
    return [card.id for card in state.box.cards if card.deck == face and (card.id in deck or card.id in hidden)]


def _hand(state: State, player: Holdings) -> Iterable[str]:
    """What a player may hold, as far as all players know."""
    if player.secret is None:
        return player.hand
    return [*unseen(state, state.cards[player.secret].deck), *unfolded(player)]


def _starts(state: State, cards: Iterable[str]) -> list[Action]:
    if state.options.start_card == "hand":
        return [Start(state.starting, card) for card in cards]
    return [Start(state.starting, card, column) for card in cards for column in _columns(state, card)]


def _deals(state: State, cards: Iterable[str]) -> list[Action]:
    row = _face(state)
    return [Deal(row, card) for card in cards]


def _turn(state: State, hand: Iterable[str]) -> list[Action]:
    """C2 Two actions out of four, a sickle besides, then the end of the turn."""
    seat, rows = _seat(state), state.rows
    player = state.players[seat]
    actions: list[Action] = []
    if state.actions_left:
        actions += [Take(seat, card) for card in rows.sun + rows.moon]
        _add_plays(actions, state, seat, hand)
        _add_runes(actions, state, seat)
        _add_flips(actions, state, seat)
    if player.sickles and state.sickled < state.options.sickles_per_turn:
        sickles = _SICKLES[seat]
        if rows.sun:
            actions.append(sickles.sun)
        if rows.moon:
            actions.append(sickles.moon)
    if not state.actions_left:
        if len(player.hand) > HAND_LIMIT:
            actions += [Discard(seat, card) for card in hand]
        else:
            actions.append(_END_TURN[seat])
    return actions


def _add_plays(actions: list[Action], state: State, seat: Seat, hand: Iterable[str]) -> None:
    """C5 What can be paid. C7 Salt into any column."""
    runes, prices, flipped_pays = state.players[seat].runes, state.prices, state.options.flipped_pays
    for card in hand:
        if can_pay(runes, prices[card], flipped_pays):
            actions += [Play(seat, card, column) for column in _columns(state, card)]


def _columns(state: State, card: str) -> tuple[str | None, ...]:
    return INGREDIENTS if state.cards[card].ingredient == SALT else (None,)


def _add_runes(actions: list[Action], state: State, seat: Seat) -> None:
    """C9 As many as possible; with the option also fewer."""
    player, reserve, runes = state.players[seat], state.reserve, _RUNES[seat]
    if not free_slots(player):
        return
    for take in (reserve.sun and runes.sun, reserve.moon and runes.moon):
        if take:
            actions.append(take)
            if state.options.partial_runes:
                actions += [Runes(seat, take.face, count) for count in range(1, most_runes(state, player, take.face))]


def _add_flips(actions: list[Action], state: State, seat: Seat) -> None:
    """C10 All of one face; with the option also fewer."""
    runes, flips = state.players[seat].runes, _FLIPS[seat]
    for flip in (runes.sun and flips.sun, runes.moon and flips.moon):
        if flip:
            actions.append(flip)
            if state.options.flip == "any":
                actions += [Flip(seat, flip.face, count) for count in range(1, runes.of(flip.face))]


_RUNES = [Pair(Runes(seat, "sun"), Runes(seat, "moon")) for seat in range(BOARDS)]
_FLIPS = [Pair(Flip(seat, "sun"), Flip(seat, "moon")) for seat in range(BOARDS)]
_SICKLES = [Pair(Sickle(seat, "sun"), Sickle(seat, "moon")) for seat in range(BOARDS)]
_END_TURN = [EndTurn(seat) for seat in range(BOARDS)]
"""What every turn offers is made once, because it is listed after every action."""


def awaiting(state: State) -> Awaiting | None:
    """Who may act, and how: but for a turn, each phase is named after what is done in it. A card that is dealt concerns
    the player whose turn it is."""
    if state.phase == "over":
        return None
    if state.phase == "act":
        return Awaiting((_seat(state),), _asked(state))
    return Awaiting((state.starting if state.phase == "start" else _seat(state),), (state.phase,))


def _asked(state: State) -> tuple[str, ...]:
    """What may be done in a turn, in the order of `legal`. It is asked after every action, so nothing is listed."""
    player = state.players[_seat(state)]
    runes, asked = player.runes, []
    if state.actions_left:
        if state.rows.sun or state.rows.moon:
            asked.append("take")
        if any(can_pay(runes, state.prices[card], state.options.flipped_pays) for card in player.hand):
            asked.append("play")
        if free_slots(player) and (state.reserve.sun or state.reserve.moon):
            asked.append("runes")
        if runes.sun or runes.moon:
            asked.append("flip")
    if player.sickles and state.sickled < state.options.sickles_per_turn and (state.rows.sun or state.rows.moon):
        asked.append("sickle")
    if not state.actions_left:
        asked.append("discard" if len(player.hand) > HAND_LIMIT else "done")
    return tuple(asked)


def _seat(state: State) -> Seat:
    assert state.turn is not None  # only when the game is over
    return state.turn


def _face(state: State) -> Side:
    assert state.due is not None  # while a card is dealt
    return state.due


# --- What all players see --------------------------------------------------------------------------------------


def table(state: State) -> Table:
    """Everything public, in the shape that transcripts promise."""
    players = state.players
    return shown_as(
        Table,
        state,
        decks=Pair(len(state.decks.sun), len(state.decks.moon)),
        discards=Pair(len(state.discards.sun), len(state.discards.moon)),
        runes=tuple([player.runes for player in players]),
        slots=tuple([player.slots for player in players]),
        sickles=tuple([player.sickles for player in players]),
        hands=tuple([len(player.hand) for player in players]),
        columns=tuple([_spread(player) for player in players]),
        bonus=tuple([player.bonus for player in players]),
    )


def own_hand(state: State, seat: Seat) -> OwnHand:
    """C17 What a player alone may see: the start card is theirs to know, as they have named it. They hold it in their
    hand, even if it was seen elsewhere since: then one of the two was named wrongly."""
    player = state.players[seat]
    if player.secret is None:
        return OwnHand(player.hand, None)
    named = player.named or player.secret
    hand = tuple([named if card == player.secret else card for card in player.hand])
    return OwnHand(hand, named, seen_elsewhere=is_unnamed(state, seat))


def view(state: State) -> View:
    """What a screen may see: the table, the hand cards that all players know, what can be paid."""
    return shown_as(
        View,
        table(state),
        known=tuple([unfolded(player) for player in state.players]),
        marker=tuple([min(len(player.played), TRACK) for player in state.players]),
        bonus_left=state.bonus_left,
        due=state.due,
        payable=_payable(state),
    )


def _spread(player: Holdings) -> dict[str, tuple[str, ...]]:
    """C4 A column for each ingredient."""
    return {
        ingredient: tuple([played.card for played in player.played if played.column == ingredient])
        for ingredient in INGREDIENTS
    }


def _payable(state: State) -> tuple[str, ...]:
    """C5 Which open cards the player whose turn it is could pay now."""
    if state.turn is None:
        return ()
    player = state.players[state.turn]
    cards = (*state.rows.sun, *state.rows.moon, *unfolded(player))
    return tuple([card for card in cards if can_pay(player.runes, state.prices[card], state.options.flipped_pays)])


# --- Where the pieces lie -------------------------------------------------------------------------------------

_RUNE, _SICKLE, _PADLOCK = Thing("rune"), Thing("sickle"), Thing("padlock")
_BOX, _ITS_DECK = Place("box"), Place("its deck")


def whereabouts(state: State) -> Whereabouts:
    """Cards by their ids. A rune that is turned goes from the suns to the moons of its board.

    C17 An unseen card counts as being in its deck. Beside the cards there is each player's "start card", which is in
    the hand as long as it is secret and in its deck otherwise: so nothing tells which card it is."""
    lying: Counter[tuple[Thing, Place]] = Counter()
    for face in FACES:
        _lay(lying, unseen(state, face), Place(f"{face} deck"))
        _lay(lying, state.rows.of(face), Place(f"{face} row"))
        _lay(lying, state.discards.of(face), Place(f"{face} discards"))
        lying[_RUNE, Place(f"{face} reserve")] = state.reserve.of(face)
    for ingredient in state.bonus_left:
        lying[Thing("bonus", ingredient), Place("supply")] = 1
    for seat, player in enumerate(state.players):
        _lay(lying, unfolded(player), Place("hand", seat))
        lying[Thing("start card", owner=seat), Place("hand", seat) if player.secret else _ITS_DECK] = 1
        _lay_board(lying, seat, player)
    return lying


def _lay(lying: Counter[tuple[Thing, Place]], cards: Iterable[str], place: Place) -> None:
    for card in cards:
        lying[Thing("card", card), place] = 1


def _lay_board(lying: Counter[tuple[Thing, Place]], seat: Seat, player: Holdings) -> None:
    for played in player.played:
        lying[Thing("card", played.card), Place(f"{played.column} column", seat)] = 1
    for face in FACES:
        lying[_RUNE, Place(f"{face}s", seat)] = player.runes.of(face)
    lying[_SICKLE, Place("sickles", seat)] = player.sickles
    lying[_SICKLE, _BOX] += SICKLES_EACH - player.sickles
    lying[_PADLOCK, Place("board", seat)] = SLOTS - player.slots
    lying[_PADLOCK, _BOX] += PADLOCKS_EACH - SLOTS + player.slots
    for ingredient in player.bonus:
        lying[Thing("bonus", ingredient), Place("board", seat)] = 1
    lying[Thing("marker", owner=seat), Place(f"field {min(len(player.played), TRACK)}", seat)] = 1


def pieces(box: Box) -> tuple[Thing, ...]:
    """Everything that may carry a tag: the cards, the bonus ingredients, and the marker of each board."""
    cards = [Thing("card", card.id) for card in box.cards]
    bonus = [Thing("bonus", ingredient) for ingredient in INGREDIENTS]
    return (*cards, *bonus, *(Thing("marker", owner=owner) for owner in range(BOARDS)))
