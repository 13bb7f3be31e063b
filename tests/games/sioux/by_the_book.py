"""Sioux a second time, slow and obvious: a table that players push things about on, written from the rule book alone.

It knows no refusals, and it shares nothing with the rules. It is there to disagree.
"""

from copy import copy
from typing import Any


class ByTheBook:
    def __init__(self, players: int, options: dict[str, Any], box: Any) -> None:
        self.players = players
        self.hunter_blocks_swap = options.get("hunter_blocks_swap", True)
        self.fallen_may_claim = options.get("gift_after_swap", "both") == "both"
        self.last_card_at_once = options.get("last_card", "after_round") == "at_once"
        self.other_prey = options.get("no_deer", "nothing") == "other_prey"
        self.gift_ends_at_once = options.get("gift_ends", "after_gifts") == "at_once"
        self.rest_follows = False
        self.kind = {card.id: card.kind for card in box.tribe} | {"hunter": "hunter"}
        self.value = {card.id: card.value for card in box.tribe}
        self.animal_worth = {prey.value: prey.animal for prey in box.prey}
        self.worth = {prey.animal: prey.value for prey in box.prey}
        self.bank = [prey.animal for prey in box.prey for _ in range(prey.count)]
        self.stacks: dict[int, list[int]] = {}
        for supply in box.supply:
            cards = sorted(supply.values)
            while len(cards) > players:
                cards.remove(max(cards))
            self.stacks[supply.winter] = cards
        self.prey: list[list[str]] = [[] for _ in range(players)]
        self.hands = [[card.id for card in box.tribe] for _ in range(players)]
        self.played: list[list[str]] = [[] for _ in range(players)]
        self.supply: list[list[int]] = [[] for _ in range(players)]
        self.winter, self.phase, self.hunter_owner = 1, "play", None
        self.face_down: dict[int, str] = {}
        self.totals_before = [0] * players

    def copy(self) -> "ByTheBook":
        """The same table once more, to try something on it."""
        twin = copy(self)
        twin.bank, twin.face_down = [*self.bank], {**self.face_down}
        twin.prey, twin.hands, twin.played, twin.supply = (
            [[*own] for own in each] for each in (self.prey, self.hands, self.played, self.supply)
        )
        twin.silent = [*self.silent] if self.phase == "crow" else []
        twin.stacks = {winter: [*cards] for winter, cards in self.stacks.items()}
        return twin

    # --- What players do --------------------------------------------------------------------------------------

    def do(self, do: str, **said: Any) -> None:
        getattr(self, f"do_{do}")(**said)

    def do_play(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.face_down[seat] = card
        if len(self.face_down) < self.players:
            return
        self.open = [self.face_down[each] for each in range(self.players)]
        self.face_down = {}
        for each, shown in enumerate(self.open):
            self.played[each].append(shown)
        self.totals_before = self.totals()
        if self.last_card_at_once and [] in self.hands:
            self.take_earlier_cards_back()
        self.reveal()

    def do_name(self, seat: int, value: int) -> None:
        self.shaman_counts = value
        self.compare()

    def do_crow(self, seat: int, call: bool) -> None:
        self.silent.remove(seat)
        if call:
            self.phase, self.second = "duel", {}
        elif not self.silent:
            self.swap()
            self.after_the_hunt()

    def do_duel(self, seat: int, card: str | None) -> None:
        if card is not None:
            self.hands[seat].remove(card)
        self.second[seat] = card
        if len(self.second) < 2:
            return
        crows = []
        for each, laid in self.second.items():
            if laid is not None and self.kind[laid] == "crow":
                crows.append(each)
            elif laid is not None:
                self.hands[each].append(laid)
        if len(crows) == 1:
            if "hunter" not in self.open:
                self.pay(crows[0], 1)
        else:
            self.swap()
        self.after_the_hunt()

    def do_gifts(self, seat: int, **said: Any) -> None:
        for giver in said["from"]:
            if self.prey[giver]:
                smallest = min(self.prey[giver], key=lambda animal: self.worth[animal])
                self.prey[giver].remove(smallest)
                self.prey[seat].append(smallest)
                if self.gift_ends_at_once and self.totals()[seat] >= 20:
                    self.winter_comes()
                    return
        self.claims.pop(0)
        self.ask_for_gifts()

    def do_dealt(self, seats: list[int]) -> None:
        for seat in seats:
            self.give_supply(seat)
        self.groups.pop(0)
        self.hand_out_supply()

    # --- The hunt ---------------------------------------------------------------------------------------------

    def reveal(self) -> None:
        kinds = [self.kind[card] for card in self.open]
        self.shaman_counts = 6
        if "hunter" in kinds:
            taker = kinds.index("crow") if kinds.count("crow") == 1 else kinds.index("hunter")
            if "deer" in self.bank:
                self.bank.remove("deer")
                self.prey[taker].append("deer")
            elif self.other_prey:
                self.pay(taker, 3)
            if self.hunter_blocks_swap:
                self.after_the_hunt()
            else:
                self.compare()
            return
        if kinds.count("shaman") == 1:
            others = [self.value_of(card) for card in self.open if self.kind[card] != "shaman"]
            if any(value not in others for value in (6, 7, 8)):
                self.phase, self.asked = "name", kinds.index("shaman")
                return
        self.compare()

    def value_of(self, card: str) -> int:
        if self.kind[card] == "crow":
            return 1
        if self.kind[card] == "shaman":
            return self.shaman_counts
        if self.kind[card] == "hunter":
            return -1
        return self.value[card]

    def compare(self) -> None:
        """The highest wins the difference; two highest swap; more of them do nothing."""
        values = [self.value_of(card) for card in self.open]
        highest = max(values)
        best = [seat for seat in range(self.players) if values[seat] == highest]
        if len(best) == 2:
            self.phase, self.tied, self.silent = "crow", best, [*best]
            return
        if len(best) == 1 and "hunter" not in self.open:
            second = max(value for value in values if value != highest)
            self.pay(best[0], highest - second)
        self.after_the_hunt()

    def pay(self, seat: int, value: int) -> None:
        while True:
            possible = [animal for animal in self.bank if self.worth[animal] <= value]
            if not possible:
                return
            best = max(possible, key=lambda animal: self.worth[animal])
            self.bank.remove(best)
            self.prey[seat].append(best)
            value -= self.worth[best]

    def swap(self) -> None:
        one, other = self.tied
        self.prey[one], self.prey[other] = self.prey[other], self.prey[one]

    # --- Gifts ------------------------------------------------------------------------------------------------

    def after_the_hunt(self) -> None:
        if max(self.totals()) >= 20:
            self.winter_comes()
            return
        totals = self.totals()
        self.claims = []
        for seat in range(self.players):
            if totals[seat] == self.totals_before[seat]:
                continue
            if totals[seat] < self.totals_before[seat] and not self.fallen_may_claim:
                continue
            equal = [other for other in range(self.players) if other != seat and totals[other] == totals[seat]]
            self.claims.append((seat, equal))
        self.ask_for_gifts()

    def ask_for_gifts(self) -> None:
        while self.claims:
            self.asked, givers = self.claims[0]
            if any(self.prey[giver] for giver in givers):
                self.phase = "gifts"
                return
            self.claims.pop(0)
        if max(self.totals()) >= 20:
            self.winter_comes()
            return
        if [] in self.hands or self.rest_follows:
            self.take_cards_back()
        self.phase = "play"

    def take_earlier_cards_back(self) -> None:
        """ "At once": what was played before this round goes back to the hand, what is there now stays."""
        for seat in range(self.players):
            *earlier, lying = self.played[seat]
            self.hands[seat] += earlier
            self.played[seat] = [lying]
        self.rest_follows = True

    def take_cards_back(self) -> None:
        self.rest_follows = False
        for seat in range(self.players):
            self.hands[seat] += self.played[seat]
            self.played[seat] = []

    # --- Winter -----------------------------------------------------------------------------------------------

    def winter_comes(self) -> None:
        self.first = None
        ranks = [(self.totals()[seat], len(self.prey[seat])) for seat in range(self.players)]
        self.groups = [
            [seat for seat in range(self.players) if ranks[seat] == rank] for rank in sorted(set(ranks), reverse=True)
        ]
        self.hand_out_supply()

    def give_supply(self, seat: int) -> None:
        if self.first is None:
            self.first = seat
        cards = self.stacks[self.winter]
        cards.remove(best := max(cards))
        self.supply[seat].append(best)

    def hand_out_supply(self) -> None:
        while self.groups:
            if len(self.groups[0]) > 1:
                self.phase, self.tied = "dealt", self.groups[0]
                return
            self.give_supply(self.groups.pop(0)[0])
        for seat in range(self.players):
            self.bank += self.prey[seat]
            self.prey[seat] = []
        self.take_cards_back()
        if self.hunter_owner is not None:
            self.hands[self.hunter_owner].remove("hunter")
        self.hunter_owner = self.first
        self.hands[self.first].append("hunter")
        if self.winter == 3:
            self.phase = "over"
        else:
            self.winter += 1
            self.phase = "play"

    # --- What is to be seen -----------------------------------------------------------------------------------

    def totals(self) -> list[int]:
        return [sum(self.worth[animal] for animal in animals) for animals in self.prey]

    def table(self) -> dict[str, Any]:
        return {
            "winter": self.winter,
            "phase": self.phase,
            "bank": {animal: self.bank.count(animal) for animal in self.worth},
            "prey": [{animal: animals.count(animal) for animal in self.worth} for animals in self.prey],
            "totals": self.totals(),
            "supply": self.supply,
            "laid_out": sorted(self.stacks[self.winter], reverse=True) if self.phase != "over" else [],
            "hands": [len(hand) for hand in self.hands],
            "hunter": self.hunter_owner,
        }

    def awaited(self) -> list[int]:
        if self.phase == "play":
            return [seat for seat in range(self.players) if seat not in self.face_down]
        if self.phase == "duel":
            return [seat for seat in self.tied if seat not in self.second]
        if self.phase == "dealt":
            return self.tied
        if self.phase == "crow":
            return self.silent
        return [] if self.phase == "over" else [self.asked]
