"""Lascaux a second time, slow and obvious: a table that players push things about on, written from the rule book alone.

It knows no refusals, only which bids there are, and no options but the direction and the first stone. It shares nothing
with the rules. It is there to disagree.
"""

from typing import Any


class ByTheBook:
    def __init__(
        self, players: int, first: int, direction: str, cards: dict[str, tuple[str, str]], first_stone: str = "may"
    ) -> None:
        self.players, self.direction, self.colours_of = players, direction, cards
        self.begins_with_a_stone = first_stone == "must"
        self.bids_in_this_round = 0
        self.deck = set(cards)
        self.row: list[str] = []
        self.stones = [10 if players == 5 else 12 for _ in range(players)]
        self.pot = 0
        self.won: list[list[str]] = [[] for _ in range(players)]
        self.markers: dict[int, str] = {}
        self.pile: list[int] = []
        self.round, self.start, self.turn, self.phase = 1, first, first, "draw"

    def do(self, do: str, seat: int = -1, card: str = "", colour: str = "") -> None:
        if do == "draw":
            self.deck.remove(card)
            self.row.append(card)
            self.look_at_the_row()
        elif do == "choose":
            self.markers[seat] = colour
            if len(self.markers) == self.players:
                self.phase, self.turn = "bid", self.start
                self.bids_in_this_round = 0
        elif do == "stone":
            assert seat == self.turn
            self.stones[seat] -= 1
            self.pot += 1
            self.bids_in_this_round += 1
            self.next_player()
        elif do == "pass":
            assert seat == self.turn
            self.stones[seat] += self.pot
            self.pot = 0
            self.bids_in_this_round += 1
            self.pile.append(seat)
            if len(self.pile) == self.players - 1:
                self.take_cards()
            else:
                self.next_player()
        elif do == "end":
            self.phase = "over"
            self.markers = {}

    def bids(self) -> set[str]:
        """4.3 A player who cannot lay a stone passes; 4.3 and 4.4 as agreed, a round's first player lays a stone."""
        if self.stones[self.turn] == 0:
            return {"pass"}
        if self.begins_with_a_stone and self.bids_in_this_round == 0:
            return {"stone"}
        return {"stone", "pass"}

    def look_at_the_row(self) -> None:
        """4.1 Six colours, or seven cards; 6.0 towards the end whatever remains."""
        seen = {colour for card in self.row for colour in self.colours_of[card]}
        self.phase = "choose" if len(seen) == 6 or len(self.row) == 7 or not self.deck else "draw"

    def next_player(self) -> None:
        while True:
            self.turn = (self.turn + (1 if self.direction == "clockwise" else -1)) % self.players
            if self.turn not in self.pile:
                return

    def take_cards(self) -> None:
        """4.3 The one who remains, then the owner of the marker on top of the pile, and so on to the bottom."""
        (last,) = set(range(self.players)) - set(self.pile)
        first_to_pass = self.pile[0]
        while True:
            for card in list(self.row):
                if self.markers[last] in self.colours_of[card]:
                    self.row.remove(card)
                    self.won[last].append(card)
            if not self.pile:
                break
            last = self.pile.pop()
        self.markers = {}
        if not self.deck and not self.row:
            self.phase = "over"
            return
        self.start = first_to_pass
        self.round += 1
        self.look_at_the_row()

    def table(self) -> dict[str, Any]:
        return {
            "round": self.round,
            "start": self.start,
            "direction": self.direction,
            "phase": self.phase,
            "row": self.row,
            "deck": len(self.deck),
            "pot": self.pot,
            "stones": self.stones,
            "won": self.won,
            "pile": self.pile,
            "chosen": [seat in self.markers for seat in range(self.players)],
        }
