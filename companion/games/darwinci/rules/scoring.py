"""Darwinci: creatures and jewellery, the end of a round and of the game, and who has won."""

from collections.abc import Sequence

from msgspec import UNSET
from msgspec.structs import replace

from companion.gamekit import Facts, Part, Refusal, Ruling, Score, Seat, Step, clockwise, highest, with_item
from companion.games.darwinci.display import FULL, Creature, closed_creatures, line_points, run
from companion.games.darwinci.rules.state import Jewels, Outcome, Skip, State, out_of_turn
from companion.games.darwinci.view import Built


def payable(state: State, seat: Seat, points: int) -> int:
    """D13 Money may fall below 0; with `minus: "floor"` no payment takes it there."""
    money = state.money[seat]
    return -max(money, 0) if points < 0 and state.options.minus == "floor" and money + points < 0 else points


def pay(state: State, seat: Seat, part: Part) -> State:
    """D20 Earn or pay, and write down for what."""
    ledger = with_item(state.ledger, seat, (*state.ledger[seat], part))
    return replace(state, money=with_item(state.money, seat, state.money[seat] + part.points), ledger=ledger)


# --- 3 Scoring ------------------------------------------------------------------------------------------------


def score_creatures(state: State, said: list[Ruling]) -> State:
    """D14 Every creature that was closed this round, once. D16 In order from the start player, before jewellery."""
    for seat in clockwise(state.start, len(state.seats)):
        built = state.built[seat]
        if len(built) > state.looked[seat]:
            for creature in closed_creatures(built, state.tiles, state.looked[seat]):
                state = _score_creature(state, seat, creature, said)
    looked = tuple([len(built) for built in state.built])
    return replace(state, phase="jewels", turn=state.start, looked=looked)


def _score_creature(state: State, seat: Seat, creature: Creature, said: list[Ruling]) -> State:
    size, ends = len(creature.tiles), creature.ends
    points = creature.points
    bones = tuple([f"{tile} × {count}" for tile, count in zip(creature.tiles, creature.ends_on, strict=True)])
    facts: Facts = {"seat": seat, "bones_in_order": bones, "size": size, "ends": ends, "points": points}
    state = pay(state, seat, Part("creature", points, "D14", "creature", facts))
    said.append(Ruling("D14", "closes a creature", facts))
    sizes = tuple(sorted((*state.creatures[seat], size), reverse=True))
    return replace(state, creatures=with_item(state.creatures, seat, sizes))


def score_jewels(state: State, action: Jewels) -> Outcome:
    """D15 Once per round one kind not scored before: its symbols in a gap-free line × the sum of the values in it."""
    seat, kind = action.seat, action.kind
    if state.phase != "jewels" or seat != state.turn:
        return out_of_turn(state, seat, "jewels")
    line = chosen_line(state, action)
    if isinstance(line, Refusal):
        return line
    symbols, values = line_points(line, state.tiles, kind)
    if not symbols:
        return Refusal("D15", "no such jewels", {"seat": seat, "kind": kind, "tiles": _ids(line)})
    points = symbols * values
    moved = payable(state, seat, points)
    facts: Facts = {
        "seat": seat,
        "kind": kind,
        "line": action.line,
        "tiles": _ids(line),
        "jewels_in_order": tuple([f"{each} × {state.tiles[each].jewels.count(kind)} {kind}" for each in _ids(line)]),
        "symbols": symbols,
        "values": values,
        "points": points,
        "darwin": moved,
        "money": state.money[seat] + moved,
    }
    poor = moved != points
    paid = pay(state, seat, Part(kind, moved, "D15", "last Darwin for jewellery" if poor else "jewellery", facts))
    scored = with_item(state.jewels_scored, seat, (*state.jewels_scored[seat], kind))
    said = Ruling("D15", "cannot pay for jewellery" if poor else "scores jewellery", facts)
    return _next_scorer(replace(paid, jewels_scored=scored), said)


def chosen_line(state: State, action: Jewels) -> Sequence[Built] | Refusal:
    """D15 The whole run counts, or with the option the stretch that was named. D22 What is unknown is refused."""
    seat, kind = action.seat, action.kind
    if action.line not in ("row", "column"):
        return Refusal("D22", "no such line", {"line": action.line})
    if kind not in state.box.jewels:
        return Refusal("D22", "no such kind", {"kinds": state.box.jewels})
    if kind in state.jewels_scored[seat]:
        return Refusal("D15", "scored before", {"seat": seat, "kind": kind})
    line = run(state.built[seat], "row" if action.line == "row" else "column", action.x, action.y)
    if not line:
        return Refusal("D15", "no tile there", {"seat": seat})
    if state.options.run == "whole" or (action.from_ is UNSET and action.to is UNSET):
        return line
    return _stretch(line, action)


def _stretch(line: tuple[Built, ...], action: Jewels) -> Sequence[Built] | Refusal:
    """D15 From the first to the last coordinate: in the run, and with the named tile in it."""
    if type(action.from_) is not int or type(action.to) is not int:
        return Refusal("D22", "from without to", {"seat": action.seat})
    row = action.line == "row"
    along = [tile.x if row else tile.y for tile in line]
    if not along[0] <= action.from_ <= (action.x if row else action.y) <= action.to <= along[-1]:
        return Refusal("D15", "not in the line", {"seat": action.seat, "first": along[0], "last": along[-1]})
    return line[action.from_ - along[0] : action.to - along[0] + 1]


def skip(state: State, action: Skip) -> Outcome:
    """D15 Scoring jewellery is optional."""
    if state.phase != "jewels" or action.seat != state.turn:
        return out_of_turn(state, action.seat, "skip")
    return _next_scorer(state, Ruling("D15", "skips", {"seat": action.seat}))


def _next_scorer(state: State, said: Ruling) -> Step[State]:
    turn = (state.turn + 1) % len(state.seats)
    if turn != state.start:
        return Step(replace(state, turn=turn), (said,))
    return end_round(state, said)


def _ids(line: Sequence[Built]) -> tuple[str, ...]:
    return tuple([tile.tile for tile in line])


# --- 4 The end of a round -------------------------------------------------------------------------------------


def end_round(state: State, said: Ruling) -> Step[State]:
    """D19 With 12 built tiles the game is over. D17 Else the Darwin card goes on. D18 Then everyone draws a tile."""
    full = tuple([seat for seat in state.seats if len(state.built[seat]) == FULL])
    if full:
        return Step(replace(state, phase="over"), (said, Ruling("D19", "twelve tiles", {"seats": full})))
    players = len(state.seats)
    given = _give_card(state)
    card = darwin_card([len(built) for built in state.built], state.darwin_card, state.counter)
    if state.stack < players:
        empty = Ruling("D18", "stacks run out", {"tiles": state.stack})
        return Step(replace(state, phase="over", darwin_card=card), (said, given, empty))
    begun = replace(
        state,
        round=state.round + 1,
        start=state.counter,
        turn=state.counter,
        phase="buy",
        darwin_card=card,
        hands=tuple([tiles + 1 for tiles in state.hands]),
        stack=state.stack - players,
    )
    return Step(begun, (said, given, Ruling("D18", "everyone draws", {"start": state.counter, "tiles": begun.stack})))


def darwin_card(built: Sequence[int], holder: Seat | None, start: Seat) -> Seat:
    """D17 To the fewest built tiles. Tied: the next one clockwise from its holder, or from the new start player."""
    fewest = min(built)
    first = start if holder is None else (holder + 1) % len(built)
    return next(seat for seat in clockwise(first, len(built)) if built[seat] == fewest)


def _give_card(state: State) -> Ruling:
    """D17 Who was tied with how many tiles, and who passes the card on."""
    built = [len(tiles) for tiles in state.built]
    holder, start = state.darwin_card, state.counter
    card = darwin_card(built, holder, start)
    tied = tuple([seat for seat in state.seats if built[seat] == min(built)])
    facts: Facts = {"seat": card, "seats": tied, "count": min(built), "owner": holder, "start": start}
    if holder is None and len(tied) > 1:
        return Ruling("D17", "starts and gets the card" if card == start else "first from the start", facts)
    if holder is None:
        return Ruling("D17", "gets the Darwin card", facts)
    if len(tied) > 1:
        return Ruling("D17", "passes the Darwin card on" if holder in tied else "first after the holder", facts)
    return Ruling("D17", "keeps the Darwin card" if card == holder else "hands over the Darwin card", facts)


# --- Points ---------------------------------------------------------------------------------------------------


def scores(state: State) -> tuple[Score, ...]:
    """D20 All Darwin of all players: the 12 of the start, then every payment in order."""
    return tuple(Score(seat, state.ledger[seat]) for seat in state.seats)


def winners(state: State) -> tuple[Seat, ...]:
    """D20 Most Darwin. Tie: the larger scored creature, in tiles, or with the option by its Darwin; then shared."""
    return highest([(state.money[seat], _largest(state, seat)) for seat in state.seats])


def tie_break(state: State, tied: tuple[Seat, ...]) -> Ruling:
    """D20 How large the largest scored creatures of those tied are, in tiles or with the option in Darwin."""
    sizes = tuple([_largest(state, seat) for seat in tied])
    by_tiles = state.options.larger == "tiles"
    facts: Facts = {"seats": tied, "darwin": state.money[tied[0]], "sizes": sizes}
    return Ruling("D20", "larger creature wins" if by_tiles else "richer creature wins", facts)


def shared(state: State, seats: tuple[Seat, ...]) -> Ruling:
    """D20 The same money, and creatures that are equally large, in tiles or with the option in Darwin."""
    by_tiles = state.options.larger == "tiles"
    facts: Facts = {"seats": seats, "darwin": state.money[seats[0]], "size": _largest(state, seats[0])}
    return Ruling("D20", "equally large creatures" if by_tiles else "equally rich creatures", facts)


def _largest(state: State, seat: Seat) -> int:
    """D20 A player without a scored creature counts 0."""
    if state.options.larger == "tiles":
        return max(state.creatures[seat], default=0)
    return max((part.points for part in state.ledger[seat] if part.rule == "D14"), default=0)
