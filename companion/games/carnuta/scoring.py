"""The end of Carnuta: the scoring sheet, a line for each ingredient, and who has won."""

from collections import Counter

from companion.games.carnuta.components import INGREDIENTS, SALT, Card
from companion.games.carnuta.state import Player, State
from companion.games.game import Facts, Part, Score, Seat


def scores(state: State) -> tuple[Score, ...]:
    """All points of all players: a part is a line of the sheet."""
    return tuple(Score(seat, sheet(state, seat)) for seat in range(len(state.players)))


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


def symbols(state: State, player: Player) -> Counter[str]:
    """C15 All symbols of a player: on all played cards, salt as assigned, bonus ingredients."""
    have = Counter(player.bonus)
    for played in player.played:
        for symbol in state.cards[played.card].symbols:
            have[played.column if symbol == SALT else symbol] += 1
    return have


def sets(card: Card, have: Counter[str]) -> int:
    """C15 The minimum over the kinds of ⌊have ÷ need⌋; nothing is used up between cards. Flat points count once."""
    if card.per is None:
        return 1
    return min([have[kind] // need for kind, need in Counter(card.per).items()])


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
        "sums": tuple([_sum(card, count) for card, count in zip(column, counts, strict=True)]),
        "symbols": tuple([f"{have[kind]} {kind}" for kind in asked]),
    }
    return Part(ingredient, sum(points), "C15", "a column with sets" if asked else "a flat column", facts)


def _sum(card: Card, count: int) -> str:
    """How a card came to its points, in signs that need no language."""
    return f"{card.id} {card.points}" if card.per is None else f"{card.id} {card.points} × {count}"


def winners(state: State) -> tuple[Seat, ...]:
    """C16 Most points; with a tie the most points in one single ingredient; then shared."""
    ranks = [(score.total, max((part.points for part in score.parts), default=0)) for score in scores(state)]
    return tuple([seat for seat, rank in enumerate(ranks) if rank == max(ranks)])
