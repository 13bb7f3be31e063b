"""Carnuta a second time, slow and obvious: a table that players push things about on, written from the rule book alone.

It knows no refusals, and it shares nothing with the rules. It is there to disagree.
"""

from itertools import combinations_with_replacement, permutations
from typing import Any

INGREDIENTS = ["honey", "clover", "flower", "egg", "mushroom", "skull", "berry", "moth"]


def payments(runes: list[str], cost: list[str]) -> list[tuple[list[str], list[str]]]:
    """Try every assignment of runes to the symbols of a cost: the runes left on the board, those removed."""
    ways = []
    for chosen in permutations(range(len(runes)), len(cost)):
        board, removed = list(runes), []
        for rune, symbol in zip(chosen, cost, strict=True):
            what, face = symbol.split()
            if runes[rune] != face:
                break
            if what == "flip":
                board[rune] = "moon" if face == "sun" else "sun"
            else:
                board[rune] = "removed"
                removed.append(face)
        else:
            ways.append(([face for face in board if face != "removed"], removed))
    return ways


def payments_in_turn(runes: list[str], cost: list[str]) -> list[tuple[list[str], list[str]]]:
    """Try every order of the symbols, each paid with any rune that shows the asked face just then: the runes left on
    the board and those removed, for each order that works."""
    ways = []
    for order in set(permutations(cost)):
        board, removed = list(runes), []
        for symbol in order:
            what, face = symbol.split()
            if face not in board:
                break
            board.remove(face)
            if what == "flip":
                board.append("moon" if face == "sun" else "sun")
            else:
                removed.append(face)
        else:
            ways.append((board, removed))
    return ways


def joker_sets(need: list[str], have: list[str], salts: int) -> int:
    """Let every salt be any ingredient, in every way: the most sets that one of them completes."""
    best = 0
    for chosen in combinations_with_replacement(sorted(set(need)), salts):
        left, sets = [*have, *chosen], 0
        while all(left.count(kind) >= need.count(kind) for kind in need):
            for kind in need:
                left.remove(kind)
            sets += 1
        best = max(best, sets)
    return best


class ByTheBook:
    def __init__(self, players: int, first: int, options: dict[str, Any], cards: list[dict[str, Any]]) -> None:
        self.players, self.first, self.options = players, first, options
        self.cards = {card["id"]: card for card in cards}
        self.deck = {face: [card["id"] for card in cards if card["deck"] == face] for face in ("sun", "moon")}
        self.row: dict[str, list[str]] = {"sun": [], "moon": []}
        self.discards: dict[str, list[str]] = {"sun": [], "moon": []}
        self.boards = [["sun", "sun", "moon", "moon"] for _ in range(players)]
        rest = 22 - 4 * players
        self.reserve = ["sun"] * (rest // 2 + rest % 2) + ["moon"] * (rest // 2)
        self.padlocks = [2] * players
        self.sickles = [2] * players
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.columns: list[dict[str, list[str]]] = [{kind: [] for kind in INGREDIENTS} for _ in range(players)]
        self.tokens = list(INGREDIENTS)
        self.bonus: list[list[str]] = [[] for _ in range(players)]
        self.round, self.turn, self.left, self.phase = 1, first, 2, "start"
        self.last = False

    def do(self, do: str, seat: int = -1, card: str = "", **more: Any) -> None:
        getattr(self, do)(seat, card, **more)
        if self.phase not in ("start", "bonus", "over"):
            self.phase = "deal" if self.place_to_fill() else "act"

    def place_to_fill(self) -> bool:
        for face in ("sun", "moon"):
            if len(self.row[face]) < 4:
                if not self.deck[face]:
                    self.deck[face], self.discards[face] = self.discards[face], []
                if self.deck[face]:
                    return True
        return False

    def start(self, seat: int, card: str, **more: Any) -> None:
        self.deck[self.cards[card]["deck"]].remove(card)
        if self.options.get("start_card") == "played":
            self.lay(seat, card, more.get("as"))
        else:
            self.hands[seat].append(card)
        if seat == self.players - 1:
            self.phase = "deal"

    def deal(self, seat: int, card: str, row: str) -> None:
        self.deck[row].remove(card)
        self.row[row].append(card)

    def take(self, seat: int, card: str) -> None:
        self.row[self.cards[card]["deck"]].remove(card)
        self.hands[seat].append(card)
        self.left -= 1

    def play(self, seat: int, card: str, **more: Any) -> None:
        ways = payments_in_turn if self.options.get("flipped_pays") else payments
        self.boards[seat], removed = ways(self.boards[seat], self.cards[card]["cost"])[0]
        self.reserve += removed
        self.hands[seat].remove(card)
        self.lay(seat, card, more.get("as"))
        self.left -= 1
        number = self.count(seat)
        if number in (4, 8):
            self.padlocks[seat] -= 1
        if number in (6, 10):
            self.phase = "bonus"

    def lay(self, seat: int, card: str, column: str | None) -> None:
        kind = self.cards[card]["ingredient"]
        self.columns[seat][column if kind == "salt" else kind].append(card)

    def count(self, seat: int) -> int:
        return sum(len(column) for column in self.columns[seat].values())

    def choose(self, seat: int, card: str, ingredient: str) -> None:
        self.tokens.remove(ingredient)
        self.bonus[seat].append(ingredient)
        self.phase = "act"

    def runes(self, seat: int, card: str, face: str, count: int = 99) -> None:
        while count and face in self.reserve and len(self.boards[seat]) < 6 - self.padlocks[seat]:
            self.reserve.remove(face)
            self.boards[seat].append(face)
            count -= 1
        self.left -= 1

    def flip(self, seat: int, card: str, face: str, count: int = 99) -> None:
        other = "moon" if face == "sun" else "sun"
        if self.options.get("flip") != "any":
            count = 99
        while count and face in self.boards[seat]:
            self.boards[seat].remove(face)
            self.boards[seat].append(other)
            count -= 1
        self.left -= 1

    def sickle(self, seat: int, card: str, row: str) -> None:
        self.sickles[seat] -= 1
        self.discards[row] += self.row[row]
        self.row[row] = []

    def discard(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.discards[self.cards[card]["deck"]].append(card)

    def done(self, seat: int, card: str) -> None:
        self.turn, self.left = (seat + 1) % self.players, 2
        if self.turn == self.first:
            finished = self.somebody_has_eleven() if self.options.get("last_round") is False else self.last
            if finished:
                self.phase, self.left = "over", 0
            else:
                self.round += 1
                self.last = self.somebody_has_eleven()

    def somebody_has_eleven(self) -> bool:
        return any(self.count(seat) >= 11 for seat in range(self.players))

    def table(self) -> dict[str, Any]:
        both = ("sun", "moon")
        over = self.phase == "over"
        no_more = self.options.get("last_round") is False and self.somebody_has_eleven()
        return {
            "round": self.round,
            "turn": None if over else self.turn,
            "phase": self.phase,
            "actions_left": self.left,
            "rows": self.row,
            "decks": {face: len(self.deck[face]) for face in both},
            "discards": {face: len(self.discards[face]) for face in both},
            "reserve": {face: self.reserve.count(face) for face in both},
            "runes": [{face: board.count(face) for face in both} for board in self.boards],
            "slots": [6 - locked for locked in self.padlocks],
            "sickles": self.sickles,
            "hands": [len(hand) for hand in self.hands],
            "columns": self.columns,
            "bonus": self.bonus,
            "last_round": over or self.last or no_more,
        }

    def points(self) -> list[dict[str, int]]:
        return [self.sheet(seat) for seat in range(self.players)]

    def sheet(self, seat: int) -> dict[str, int]:
        symbols = list(self.bonus[seat])
        joker = self.options.get("salt") == "joker"
        for kind, column in self.columns[seat].items():
            for card in column:
                symbols += [
                    kind if symbol == "salt" and not joker else symbol for symbol in self.cards[card]["symbols"]
                ]
        return {
            kind: sum(self.card_points(self.cards[card], symbols) for card in column)
            for kind, column in self.columns[seat].items()
            if column
        }

    def card_points(self, card: dict[str, Any], symbols: list[str]) -> int:
        """Put sets together until one cannot be completed."""
        if not card.get("per"):
            return card["points"]
        if self.options.get("salt") == "joker":
            return card["points"] * joker_sets(list(card["per"]), symbols, symbols.count("salt"))
        left, points = list(symbols), 0
        while True:
            for kind in card["per"]:
                if kind not in left:
                    return points
                left.remove(kind)
            points += card["points"]
