"""The rules of Darwinci, in the order of its rule book. D1 to D22 are the numbers of docs/rules/darwinci.md.

The auction is settled in auction.py; creatures, jewellery and the end of a round are in scoring.py.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.gamekit import Facts, Part, Refusal, Ruling, Seat, Setup, Step, no_such_seat, with_item
from companion.games.darwinci.components import BIDDING_ROUNDS, STONES_EACH, Tile
from companion.games.darwinci.display import FULL, TURNS, adjoins, places, where
from companion.games.darwinci.rules.auction import settle
from companion.games.darwinci.rules.scoring import pay, payable, score_creatures, score_jewels, skip
from companion.games.darwinci.rules.state import (
    Action,
    Bid,
    Build,
    Buy,
    Discard,
    Jewels,
    Keep,
    Offer,
    Outcome,
    Skip,
    State,
    not_now,
    out_of_turn,
)
from companion.games.darwinci.view import Built, foreign_due, most_stones

MONEY = 12
HAND = 4
SET_UP_TILES = 2
PRICE = 3
DRAWN = 2


# --- Set-up ---------------------------------------------------------------------------------------------------


def setup(agreed: Setup) -> State:
    """D8 Of their 9 stones each player gives 1 to each neighbour. D20 12 Darwin each. The players say who starts."""
    players = agreed.players
    seats = tuple(range(players))
    return State(
        options=agreed.options,
        box=agreed.box,
        tiles={tile.id: tile for tile in agreed.box.tiles},
        seats=seats,
        round=1,
        start=agreed.first,
        phase="setup",
        turn=agreed.first,
        bidding=None,
        money=(MONEY,) * players,
        stones=tuple(tuple(_first_stones(seat, colour, players) for colour in seats) for seat in seats),
        fresh=tuple(tile.id for tile in agreed.box.tiles),
        offers=(None,) * players,
        on=((0,) * players,) * players,
        built=((),) * players,
        looked=(0,) * players,
        hands=(HAND,) * players,
        stack=len(agreed.box.tiles) - HAND * players,
        darwin_card=None,
        jewels_scored=((),) * players,
        creatures=((),) * players,
        won=((),) * players,
        counter=agreed.first,
        ledger=tuple([(_start_money(seat),) for seat in seats]),
    )


def _start_money(seat: Seat) -> Part:
    return Part("start", MONEY, "D20", "start money", {"seat": seat, "darwin": MONEY})


def _first_stones(seat: Seat, colour: Seat, players: int) -> int:
    if seat == colour:
        return STONES_EACH - 2
    return int((seat - colour) % players in (1, players - 1))


# --- 1 Buying -------------------------------------------------------------------------------------------------


def buy(state: State, action: Buy) -> Outcome:
    """D1 Once per round each player may pay 3 Darwin, draw 2 tiles and put any 2 of their 4 back under one stack."""
    seat = action.seat
    if state.phase != "buy" or seat != state.turn:
        return out_of_turn(state, seat, "buy")
    if state.money[seat] < PRICE:
        return Refusal("D1", "too poor to buy", {"seat": seat, "darwin": state.money[seat]})
    if state.stack < DRAWN:
        return Refusal("D1", "no tiles to buy", {"seat": seat, "tiles": state.stack})
    part = Part("buying", -PRICE, "D1", "bought tiles", {"seat": seat, "round": state.round, "darwin": -PRICE})
    paid = pay(state, seat, part)
    return _next_buyer(paid, Ruling("D1", "buys", {"seat": seat, "darwin": PRICE, "money": paid.money[seat]}))


def keep(state: State, action: Keep) -> Outcome:
    """D1 Buying is optional."""
    seat = action.seat
    if state.phase != "buy" or seat != state.turn:
        return out_of_turn(state, seat, "keep")
    return _next_buyer(state, Ruling("D1", "keeps", {"seat": seat}))


def _next_buyer(state: State, said: Ruling) -> Step[State]:
    turn = (state.turn + 1) % len(state.seats)
    phase = "offer" if turn == state.start else "buy"
    return Step(replace(state, turn=turn, phase=phase), (said,))


# --- 2 The auction --------------------------------------------------------------------------------------------


def offer(state: State, action: Offer) -> Outcome:
    """D2 Everyone must lay one of their 2 tiles face down. D21 It is hidden until all are laid."""
    seat, tile = action.seat, action.tile
    if not 0 <= seat < len(state.seats):
        return no_such_seat("D22", seat, len(state.seats))
    if state.phase != "offer":
        return not_now(state, seat, "offer")
    if state.offers[seat] is not None:
        return Refusal("D2", "has offered already", {"seat": seat})
    if tile not in state.fresh:
        return _not_in_hand(state, seat, tile)
    offers = with_item(state.offers, seat, tile)
    hands = with_item(state.hands, seat, state.hands[seat] - 1)
    fresh = _without(state.fresh, tile)
    said = Ruling("D2", "has offered", {"seat": seat})
    if None in offers:
        return Step(replace(state, offers=offers, hands=hands, fresh=fresh), (said,))
    return _reveal(replace(state, offers=offers, hands=hands, fresh=fresh), said)


def _reveal(state: State, said: Ruling) -> Step[State]:
    """D2 All tiles are revealed together. D3 The start player puts the counter beside their own offered tile."""
    shown = [Ruling("D2", "offers", {"seat": seat, "tile": state.offers[seat]}) for seat in state.seats]
    counter = Ruling("D3", "puts the counter", {"seat": state.start, "tile": state.offers[state.start]})
    bidding = replace(state, phase="bid", turn=state.start, bidding=1)
    return Step(bidding, (said, *shown, counter), state.seats)


def bid(state: State, action: Bid) -> Outcome:
    """D4 First the foreign stones that must, and an own one that may be laid. D5 Then twice 0 to 2 stones."""
    seat = action.seat
    if state.phase != "bid" or seat != state.turn:
        return out_of_turn(state, seat, "bid")
    laid = _laid(state, action)
    if isinstance(laid, Refusal):
        return laid
    refusal = _too_many_or_few(state, seat, laid)
    if refusal:
        return refusal
    held, on = [*state.stones[seat]], [*state.on]
    for stones in action.stones:
        held[stones.colour] -= stones.count
        there = on[stones.on]
        on[stones.on] = with_item(there, stones.colour, there[stones.colour] + stones.count)
    after = replace(state, stones=with_item(state.stones, seat, tuple(held)), on=tuple(on))
    return _next_bidder(after, _say_bid(state, action))


def _laid(state: State, action: Bid) -> list[int] | Refusal:
    """D22 How many stones of each colour this bid takes; refused if they are not there."""
    players, mine = len(state.seats), state.stones[action.seat]
    laid = [0] * players
    for stones in action.stones:
        if not (0 <= stones.on < players and 0 <= stones.colour < players):
            return no_such_seat("D22", stones.colour if 0 <= stones.on < players else stones.on, players)
        if stones.count < 1:
            return Refusal("D22", "no stones at all", {"seat": action.seat})
        laid[stones.colour] += stones.count
    for colour, count in enumerate(laid):
        if count > mine[colour]:
            return Refusal("D22", "too few stones", {"seat": action.seat, "owner": colour, "stones": mine[colour]})
    return laid


def _too_many_or_few(state: State, seat: Seat, laid: list[int]) -> Refusal | None:
    if state.bidding == 1:
        foreign = sum(laid) - laid[seat]
        due = foreign_due(state, seat)
        if foreign != due:
            return Refusal("D4", "foreign stones must be laid", {"seat": seat, "stones": due, "laid": foreign})
        if laid[seat] > 1:
            return Refusal("D4", "one own stone", {"seat": seat, "laid": laid[seat]})
        return None
    limit = most_stones(state, seat)
    if sum(laid) > limit:
        return Refusal("D5", "too many stones", {"seat": seat, "stones": limit, "laid": sum(laid)})
    return None


def _say_bid(state: State, action: Bid) -> list[Ruling]:
    rule = "D4" if state.bidding == 1 else "D5"
    seat = action.seat
    if not action.stones:
        return [Ruling(rule, "lays nothing", {"seat": seat})]
    return [
        Ruling(
            rule,
            "lays stones",
            {
                "seat": seat,
                "stones": each.count,
                "owner": each.colour,
                "seat_offering": each.on,
                "tile": state.offers[each.on],
            },
        )
        for each in action.stones
    ]


def _next_bidder(state: State, said: list[Ruling]) -> Step[State]:
    turn = (state.turn + 1) % len(state.seats)
    bidding = state.bidding or 1
    if turn != state.start:
        return Step(replace(state, turn=turn), tuple(said))
    if bidding < BIDDING_ROUNDS:
        said.append(Ruling("D5", "bidding round", {"number": bidding + 1, "turn": turn}))
        return Step(replace(state, turn=turn, bidding=bidding + 1), tuple(said))
    settled = settle(state, said)
    return _next_builder(settled, state.start, said)


# --- Building -------------------------------------------------------------------------------------------------


def build(state: State, action: Build) -> Outcome:
    """D11 Edge to edge with a built tile, in any rotation. D12 In the frame. D13 A minus tile costs its value."""
    seat = action.seat
    if state.phase not in ("build", "setup") or seat != state.turn:
        return out_of_turn(state, seat, "build")
    refusal = _not_buildable(state, action) or _no_place(state, action)
    if refusal:
        return refusal
    tile = state.tiles[action.tile]
    placed = Built(action.tile, action.x, action.y, action.turn)
    there = where(state.built[seat], action.x, action.y)
    state = replace(state, built=with_item(state.built, seat, (*state.built[seat], placed)))
    said = [Ruling("D11", "builds", {"seat": seat, "tile": action.tile, "where": there})]
    if tile.minus:
        state = _pay_for(state, seat, tile, said)
    if state.phase == "build":
        return _next_builder(replace(state, won=_less_won(state, seat, tile.id)), seat, said)
    return _set_up_next(state, seat, tile, said)


def _not_buildable(state: State, action: Build) -> Refusal | None:
    seat, tile = action.seat, action.tile
    if state.phase == "setup":
        return None if tile in state.fresh else _not_in_hand(state, seat, tile)
    if tile not in state.won[seat]:
        return _not_won(state, seat, tile)
    if tile not in buildable(state, seat):
        if len(state.built[seat]) == FULL:
            return Refusal("D12", "the frame is full", {"seat": seat})
        return Refusal("D19", "minus tiles come first", {"seat": seat, "tile": tile})
    return None


def _no_place(state: State, action: Build) -> Refusal | None:
    built = state.built[action.seat]
    if action.turn not in TURNS:
        return Refusal("D22", "no such turn", {"turns": TURNS})
    x, y = action.x, action.y
    if not built or (x, y) in places(built):
        return None
    if any(tile.x == x and tile.y == y for tile in built):
        return Refusal("D11", "place is taken", {"seat": action.seat})
    if not adjoins(built, x, y):
        return Refusal("D11", "edge to edge", {"seat": action.seat, "tile": action.tile})
    return Refusal("D12", "out of the frame", {"seat": action.seat, "tile": action.tile})


def _pay_for(state: State, seat: Seat, tile: Tile, said: list[Ruling]) -> State:
    """D13 A minus tile costs its value at once. Too poor: the rest is owed, or with the option nothing more is paid."""
    cost = tile.value or 0
    paid = payable(state, seat, cost)
    facts: Facts = {"seat": seat, "tile": tile.id, "darwin": paid}
    state = pay(state, seat, Part(tile.id, paid, "D13", "minus tile" if paid == cost else "last Darwin", facts))
    said.append(Ruling("D13", "pays", {"seat": seat, "tile": tile.id, "darwin": -paid, "money": state.money[seat]}))
    return state


def _set_up_next(state: State, seat: Seat, tile: Tile, said: list[Ruling]) -> Step[State]:
    """Each player lays both tiles before the next one does; then the first round begins."""
    hands = with_item(state.hands, seat, state.hands[seat] - 1)
    state = replace(state, hands=hands, fresh=_without(state.fresh, tile.id))
    if len(state.built[seat]) < SET_UP_TILES:
        return Step(state, tuple(said))
    turn = (seat + 1) % len(state.seats)
    return Step(replace(state, turn=turn, phase="buy" if turn == state.start else "setup"), tuple(said))


def _next_builder(state: State, seat: Seat, said: list[Ruling]) -> Step[State]:
    """D11 In order from the start player, each builds all the tiles they have won. D16 Then everything is scored."""
    players = len(state.seats)
    for step in range((seat - state.start) % players, players):
        turn = (state.start + step) % players
        if state.won[turn]:
            return Step(replace(state, phase="build", turn=turn), tuple(said))
    return Step(score_creatures(state, said), tuple(said))


def buildable(state: State, seat: Seat) -> tuple[str, ...]:
    """D19 With more tiles than places, one without minus only if a place remains for each of the minus tiles."""
    won = state.won[seat]
    room = FULL - len(state.built[seat])
    if len(won) <= room:
        return won
    if not room:
        return ()
    minus = [tile for tile in won if state.tiles[tile].minus]
    return won if room > len(minus) else tuple(minus)


def discardable(state: State, seat: Seat) -> tuple[str, ...]:
    """D19 Only with more tiles than places; a minus tile only if there are more minus tiles than places."""
    won = state.won[seat]
    room = FULL - len(state.built[seat])
    if len(won) <= room:
        return ()
    plain = [tile for tile in won if not state.tiles[tile].minus]
    return won if len(won) - len(plain) > room else tuple(plain)


def discard(state: State, action: Discard) -> Outcome:
    """D19 The player who has more new tiles than places chooses; the rest leave the game free of charge."""
    seat, tile = action.seat, action.tile
    if state.phase != "build" or seat != state.turn:
        return out_of_turn(state, seat, "discard")
    if tile not in state.won[seat]:
        return _not_won(state, seat, tile)
    allowed = discardable(state, seat)
    if not allowed:
        return Refusal("D19", "a place for every tile", {"seat": seat, "tile": tile})
    if tile not in allowed:
        return Refusal("D19", "minus tiles are built", {"seat": seat, "tile": tile})
    said = [Ruling("D19", "discards", {"seat": seat, "tile": tile})]
    return _next_builder(replace(state, won=_less_won(state, seat, tile)), seat, said)


def _less_won(state: State, seat: Seat, tile: str) -> tuple[tuple[str, ...], ...]:
    return with_item(state.won, seat, _without(state.won[seat], tile))


def _without(tiles: tuple[str, ...], tile: str) -> tuple[str, ...]:
    at = tiles.index(tile)
    return tiles[:at] + tiles[at + 1 :]


def _not_in_hand(state: State, seat: Seat, tile: str) -> Refusal:
    """D22 The hands are secret, but some tiles can't be in one. D21 Where they are is not said."""
    if tile in state.tiles:
        return Refusal("D22", "used already", {"seat": seat})
    return Refusal("D22", "no such tile", {"tile": tile})


def _not_won(state: State, seat: Seat, tile: str) -> Refusal:
    return Refusal("D22", "not won", {"seat": seat, "tile": tile, "tiles": state.won[seat]})


RULES: dict[type[Action], Callable[[State, Any], Outcome]] = {
    Build: build,
    Buy: buy,
    Keep: keep,
    Offer: offer,
    Bid: bid,
    Discard: discard,
    Jewels: score_jewels,
    Skip: skip,
}


# --- D21 At a table no answer reveals a face-down tile -----------------------------------------------------------
# Companion does not know the hands. If two players name the same tile, one of them has made a mistake, and a refusal
# would tell the second what the first hides. So both are believed until all tiles are there; then both say again which
# tile it is.


def at_table(state: State, action: Action) -> Outcome:
    """D21 As the rules say it, but an offer is never refused because of what another player hides."""
    if not isinstance(action, Offer) or state.phase != "offer":
        return RULES[type(action)](state, action)
    step = offer(_with_fresh(state, {action.tile} & hidden(state)), action)
    return step if isinstance(step, Refusal) or not step.revealed else _compared(state, step)


def hidden(state: State) -> set[str]:
    """D21 What lies face down while tiles are offered."""
    return {tile for tile in state.offers if tile is not None}


def _compared(before: State, step: Step[State]) -> Step[State]:
    """D2 All tiles are there. D21 If some have the same name, the players who named them say again which they are."""
    offers = step.state.offers
    twice = tuple(seat for seat, tile in enumerate(offers) if offers.count(tile) > 1)
    if not twice:
        return step
    after = replace(
        step.state,
        phase=before.phase,
        turn=before.turn,
        bidding=before.bidding,
        offers=tuple(None if seat in twice else tile for seat, tile in enumerate(offers)),
        hands=tuple(hand + (seat in twice) for seat, hand in enumerate(step.state.hands)),
    )
    said = Ruling("D21", "named twice", {"seats": twice})
    return Step(_with_fresh(after, {offers[seat] for seat in twice}), (step.rulings[0], said))


def _with_fresh(state: State, tiles: set[str | None] | set[str]) -> State:
    """These tiles may come from a hand again."""
    if not tiles:
        return state
    fresh = tuple(tile.id for tile in state.box.tiles if tile.id in state.fresh or tile.id in tiles)
    return replace(state, fresh=fresh)
