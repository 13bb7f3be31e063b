"""The end of Carnuta: the scoring sheet, a line for each ingredient, and who has won."""

from collections import Counter
from collections.abc import Mapping
from functools import cache

from companion.gamekit import Facts, Part, Ruling, Score, Seat, highest
from companion.games.carnuta.components import INGREDIENTS, SALT, Card
from companion.games.carnuta.rules.state import Holdings, State


def scores(state: State) -> tuple[Score, ...]:
    """All points of all players: a part is a line of the sheet."""
    return tuple(Score(seat, sheet(state, seat), tally(state, seat)) for seat in range(len(state.players)))


def sheet(state: State, seat: Seat) -> tuple[Part, ...]:
    """C15 A column's points are summed on its line."""
    player = state.players[seat]
    have = symbols(state, player)
    lines = []
    for ingredient in INGREDIENTS:
        column = [state.cards[played.card] for played in player.played if played.column == ingredient]
        if column:
            lines.append(_line(seat, ingredient, column, have))
    return tuple(lines)


def points(state: State, player: Holdings) -> int:
    """C15 The sum of all lines, without their reasons."""
    have = symbols(state, player)
    cards = [state.cards[played.card] for played in player.played]
    return sum([card.points * sets(card, have) for card in cards])


def symbols(state: State, player: Holdings) -> Counter[str]:
    """C15 All symbols of a player: on all played cards, salt as assigned (C7 with the option as itself), bonus
    ingredients."""
    have = Counter(player.bonus)
    for played in player.played:
        for symbol in state.cards[played.card].symbols:
            have[_counts_as(state, symbol, played.column)] += 1
    return have


def _counts_as(state: State, symbol: str, column: str) -> str:
    """C7 Salt is the ingredient of its column; as a joker it stays free."""
    return column if symbol == SALT and state.options.salt == "column" else symbol


def tally(state: State, seat: Seat) -> tuple[Ruling, ...]:
    """C15 For each kind of symbol that a played card asks for: where the player has it from."""
    player = state.players[seat]
    have = symbols(state, player)
    asked = {kind for played in player.played for kind in state.cards[played.card].per or ()}
    if asked and have[SALT]:
        asked.add(SALT)
    return tuple([_tallied(state, seat, kind, have[kind]) for kind in (*INGREDIENTS, SALT) if kind in asked])


def _tallied(state: State, seat: Seat, kind: str, count: int) -> Ruling:
    player = state.players[seat]
    sources = [
        f"{shown} {'salt' if symbol == SALT else 'card'} {played.card}"
        for played in player.played
        for symbol, shown in Counter(state.cards[played.card].symbols).items()
        if kind == _counts_as(state, symbol, played.column)
    ]
    sources += ["1 bonus"] * player.bonus.count(kind)
    facts: Facts = {"seat": seat, "ingredient": kind, "sources_in_order": tuple(sources), "count": count}
    return Ruling("C15", "free salt" if kind == SALT else "symbols of a kind", facts)


def sets(card: Card, have: Mapping[str, int]) -> int:
    """C15 The minimum over the kinds of ⌊have ÷ need⌋; nothing is used up between cards. Flat points count once.

    Free salt (C7 with the option) stands for whatever is missing: as many sets as leave no more missing than that."""
    if card.per is None:
        return 1
    needs = needed(card.per)
    count = min([have.get(kind, 0) // need for kind, need in needs])
    salt = have.get(SALT, 0)
    while salt and sum([max(0, (count + 1) * need - have.get(kind, 0)) for kind, need in needs]) <= salt:
        count += 1
    return count


@cache
def needed(per: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """How many of each symbol make a set. Boxes have few kinds of sets."""
    return tuple(Counter(per).items())


def _line(seat: Seat, ingredient: str, column: list[Card], have: Counter[str]) -> Part:
    counts = tuple([sets(card, have) for card in column])
    points = tuple([card.points * count for card, count in zip(column, counts, strict=True)])
    asked = sorted({kind for card in column for kind in card.per or ()}, key=INGREDIENTS.index)
    facts: Facts = {
        "seat": seat,
        "ingredient": ingredient,
        "cards": tuple([card.id for card in column]),
        "sets": counts,
        "points": points,
        "sums_in_order": tuple([_sum(card, count) for card, count in zip(column, counts, strict=True)]),
        "sum": sum(points),
        "symbols": tuple([f"{have[kind]} {kind}" for kind in (*asked, *([SALT] if have[SALT] else []))]),
    }
    return Part(ingredient, sum(points), "C15", "a column with sets" if asked else "a flat column", facts)


def _sum(card: Card, count: int) -> str:
    """How a card came to its points, in signs that need no language."""
    return f"{card.id} {card.points}" if card.per is None else f"{card.id} {card.points} × {count}"


def winners(state: State) -> tuple[Seat, ...]:
    """C16 Most points; with a tie the most points in one single ingredient; then shared."""
    return highest([(score.total, _best_line(score)[0]) for score in scores(state)])


def tie_break(state: State, tied: tuple[Seat, ...]) -> Ruling:
    """C16 The best line of each of those tied."""
    told = [score for score in scores(state) if score.seat in tied]
    best = tuple([f"{points} {ingredient}" for points, ingredient in map(_best_line, told)])
    return Ruling("C16", "best line wins", {"seats": tied, "points": told[0].total, "lines_in_order": best})


def shared(state: State, seats: tuple[Seat, ...]) -> Ruling:
    """C16 The same points, and as many on the best line."""
    told = [score for score in scores(state) if score.seat in seats]
    best = tuple([f"{points} {ingredient}" for points, ingredient in map(_best_line, told)])
    return Ruling("C16", "equal best lines", {"seats": seats, "points": told[0].total, "lines_in_order": best})


def _best_line(score: Score) -> tuple[int, str]:
    """C16 The most points in one single ingredient, and which one that is."""
    return max(((part.points, part.for_) for part in score.parts), key=lambda line: line[0], default=(0, ""))
