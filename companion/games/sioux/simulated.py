"""Simulated players of Sioux. They see the public table, watch every reveal, and remember what they have played.

They tap a card on their pad, or on the one reader, and keep it face down before them: a card that stays on the pad
looks like one that is laid again when all cards are taken back. For everything else they use the buttons, with three
exceptions on the screen: some gifts but not all, supply cards dealt to a person, and an answer about the crow before
the player whom the only buttons stand for.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit import ReaderKit, Seat, Snapshot, Thing, Told
from companion.gamekit.simulated import HandAct, NextAct, Press, Say, Tap, chance
from companion.games.sioux.components import HUNTER, TRIBE_SETS, Box
from companion.games.sioux.rules.state import Crow, Dealt, Gifts, Name
from companion.games.sioux.view import View

PLAY_HUNTER = 0.4
"""How often a player who has the hunter card plays it."""
HOPE_FOR_HUNTER = 6.0
"""How attractive the crow is while another player may play the hunter; a card in the middle is worth 1 or 2."""
BLUFF = 0.5
"""How often a player without the crow calls it to save their prey."""
BAIT = 0.15
"""How often a player who would gain by the swap calls the crow all the same, to lure the other's out."""
COUNTER = 0.4
"""How often a player who wants the swap lays their crow against the other's."""
MODEST = 0.08
"""How often a player claims no gift."""
CHOOSY = 0.3
"""How often a player who may claim several gifts claims one."""
LOOK_MS = 4000
"""How long people look at a reveal before one of them lays the next card."""
OPEN_MINDED = 0.15
"""How often a shaman counts less than it could."""


class Memory(Struct, frozen=True):
    """What all of them have seen, and what each one tried last."""

    game: int = 0
    """Of the match."""
    seen: int = 0
    """The number of the newest line of the history that was looked at."""
    spent: dict[Seat, tuple[str, ...]] = {}
    """The cards that each one has played since they were taken back."""
    lying: dict[Seat, str] = {}
    """What each one laid in the last hunt."""
    gone: frozenset[Seat] = frozenset()
    """Whose crow has left the game."""
    tried: dict[Seat, tuple[int, tuple[str, ...]]] = {}
    """The newest entry of the journal when each one last laid cards, and which: asked again, they know that they do not
    hold them (S25)."""


class Players:
    """What each of them does next. After a restart, players who forgot what they played are told, and take another."""

    def __init__(self, seed: int, seats: frozenset[Seat], kit: ReaderKit) -> None:
        self._seed, self._seats, self._kit = seed, sorted(seats), kit
        self.memory = Memory()

    def plan(self, snapshot: Snapshot) -> NextAct | None:
        """What comes next; None when only a person can go on."""
        if snapshot.awaiting is None or not self._seats:
            return None
        self.memory = watched(self.memory, snapshot)
        plans = {
            "play": self._play,
            "name": self._name,
            "crow": self._crow,
            "duel": self._duel,
            "gifts": self._gifts,
            "dealt": self._dealt,
        }
        return plans[snapshot.table.phase](snapshot)

    def mistakes(self, snapshot: Snapshot, plan: NextAct) -> Sequence[HandAct]:
        """What hands might do wrong just before this plan. Nothing of it changes the game."""
        wrong = self._wrong_cards if snapshot.table.phase in ("play", "duel") else self._wrong_answers
        return list(wrong(snapshot, plan))

    # --- Laying cards -----------------------------------------------------------------------------------------

    def _play(self, snapshot: Snapshot) -> NextAct | None:
        """S2 In an order that differs from round to round."""
        seat = self._next(snapshot)
        if seat is None:
            return None
        luck = self._chance(snapshot, "play", seat, len(self._tried(snapshot, seat)))
        card = hunting_card(snapshot, seat, self._hand(snapshot, seat), luck)
        self._remember_trying(snapshot, seat, card)
        return NextAct(seat, luck.randint(900, 3500) + _looking_ms(snapshot.table), Tap(_thing(card, seat), seat))

    def _duel(self, snapshot: Snapshot) -> NextAct | None:
        """S13 The crow for the player who wants to keep their prey, and sometimes against it; else any card."""
        seat = self._next(snapshot)
        if seat is None:
            return None
        luck = self._chance(snapshot, "duel", seat, len(self._tried(snapshot, seat)))
        if not snapshot.table.hands[seat]:
            return NextAct(seat, luck.randint(700, 1500), Press("green", seat))
        hand = self._hand(snapshot, seat)
        crow = _card(snapshot.box, "crow")
        bluffs = [card for card in hand if card != crow]
        wanted = 0.95 if _keeps(snapshot.table, seat) else COUNTER
        lays_crow = crow in hand and luck.random() < wanted
        card = crow if lays_crow or not bluffs else luck.choice(bluffs)
        self._remember_trying(snapshot, seat, card)
        return NextAct(seat, luck.randint(900, 2500), Tap(_thing(card, seat), seat))

    def _next(self, snapshot: Snapshot) -> Seat | None:
        missing = [seat for seat in self._seats if snapshot.awaiting and seat in snapshot.awaiting.seats]
        return self._chance(snapshot, "order").choice(missing) if missing else None

    def _hand(self, snapshot: Snapshot, seat: Seat) -> list[str]:
        """S24 What a player believes they hold."""
        for card in self._tried(snapshot, seat):
            self.memory = _spend(self.memory, seat, card)
        cards = _set(snapshot, seat)
        spent = self.memory.spent.get(seat, ())
        hand = [card for card in cards if card not in spent]
        if len(hand) >= snapshot.table.hands[seat]:
            return hand
        known = (_card(snapshot.box, "crow"),) if seat in self.memory.gone else ()
        self.memory = replace(self.memory, spent=self.memory.spent | {seat: known})
        return [card for card in cards if card not in known]

    def _tried(self, snapshot: Snapshot, seat: Seat) -> tuple[str, ...]:
        """What a player has laid in vain since the last thing that counted."""
        entry, cards = self.memory.tried.get(seat, (None, ()))
        return cards if entry == snapshot.entry else ()

    def _remember_trying(self, snapshot: Snapshot, seat: Seat, card: str) -> None:
        cards = (*self._tried(snapshot, seat), card)
        self.memory = replace(self.memory, tried=self.memory.tried | {seat: (snapshot.entry, cards)})

    def _wrong_cards(self, snapshot: Snapshot, plan: NextAct) -> Iterator[HandAct]:
        table: View = snapshot.table
        yield Press("red", plan.seat)
        yield from (Tap(_thing(card, plan.seat), plan.seat) for card in self.memory.spent.get(plan.seat, ()))
        for other in self._seats:
            if table.laid[other]:
                yield Tap(_thing(_set(snapshot, other)[0], other))
            if other != plan.seat and self._kit == "full":
                yield Tap(_thing(_set(snapshot, other)[1], other), plan.seat)
            if table.phase == "duel" and other not in table.tied:
                yield Tap(_thing(_set(snapshot, other)[2], other))
        if len(snapshot.players) < TRIBE_SETS:
            yield Tap(_thing(snapshot.box.tribe[0].id, TRIBE_SETS - 1))
        if table.hunter is None:
            yield Tap(Thing("card", HUNTER))

    # --- Answers ----------------------------------------------------------------------------------------------

    def _name(self, snapshot: Snapshot) -> NextAct | None:
        """S7 As high as possible, to win or to leave the winner less; now and then not."""
        seat = self._next(snapshot)
        if seat is None:
            return None
        luck = self._chance(snapshot, "name", seat)
        free = [action.value for action in snapshot.offered if isinstance(action, Name)]
        value = luck.choice(free) if luck.random() < OPEN_MINDED else free[-1]
        if value == free[-1]:
            press = Press("green", seat)
        else:
            press = Press("red", seat) if value == free[0] else Press("green", seat, held=True)
        return NextAct(seat, luck.randint(900, 2200), press)

    def _crow(self, snapshot: Snapshot) -> NextAct | None:
        """S13 The player who would lose by the swap calls the crow, if they have it or dare to bluff."""
        seat = self._next(snapshot)
        if seat is None:
            return None
        luck = self._chance(snapshot, "crow", seat)
        holds = _card(snapshot.box, "crow") in self._hand(snapshot, seat)
        calls = BAIT
        if _keeps(snapshot.table, seat):
            calls = 0.95 if holds else BLUFF
        think_ms, call = luck.randint(900, 2800), luck.random() < calls
        if self._kit == "one" and snapshot.awaiting and snapshot.awaiting.seats[0] != seat:
            return NextAct(seat, think_ms, Say(Crow(seat, call)))  # the one button speaks for the other one now
        return NextAct(seat, think_ms, Press("green" if call else "red", seat))

    def _gifts(self, snapshot: Snapshot) -> NextAct | None:
        """S16 All gifts, mostly; some of them are chosen on the screen."""
        seat = self._next(snapshot)
        if seat is None:
            return None
        luck = self._chance(snapshot, "gifts", seat)
        think_ms = luck.randint(800, 1800)
        if len(snapshot.table.givers) > 1 and luck.random() < CHOOSY:
            return NextAct(seat, think_ms, Say(Gifts(seat, (luck.choice(snapshot.table.givers),))))
        if (best := best_order(snapshot)) != snapshot.table.givers and luck.random() >= MODEST:
            return NextAct(seat, think_ms, Say(Gifts(seat, best)))
        return NextAct(seat, think_ms, Press("red" if luck.random() < MODEST else "green", seat))

    def _dealt(self, snapshot: Snapshot) -> NextAct:
        """S20 The cards are shuffled and dealt. Each in turn says what they got; for a person the dealer says it."""
        order = list(snapshot.table.tied)
        self._chance(snapshot, "dealt").shuffle(order)
        if not set(order) <= set(self._seats):
            return NextAct(self._seats[0], 2500, Say(Dealt(tuple(order))), decides=False)
        named = snapshot.draft or ()
        seat = next(each for each in order if each not in named)
        if self._kit == "full":
            return NextAct(seat, 1500, Press("green", seat), decides=False)
        return NextAct(seat, 1500, Tap(_thing(_card(snapshot.box, "shaman"), seat)), decides=False)

    def _wrong_answers(self, snapshot: Snapshot, plan: NextAct) -> Iterator[HandAct]:
        asked = snapshot.awaiting.seats if snapshot.awaiting else ()
        for other in self._seats:
            if other not in asked:
                if self._kit == "full":
                    yield Press("green", other)
                yield Tap(_thing(_set(snapshot, other)[0], other))

    # --- Chance -----------------------------------------------------------------------------------------------

    def _chance(self, snapshot: Snapshot, *what: int | str) -> Random:
        return chance(self._seed, len(snapshot.match), snapshot.entry, *what)


# --- Remembering ----------------------------------------------------------------------------------------------


def watched(memory: Memory, snapshot: Snapshot) -> Memory:
    """What is remembered after looking at what is new in the history."""
    if memory.game != len(snapshot.match):
        newest = snapshot.history[-1].number if snapshot.history else 0
        return Memory(game=len(snapshot.match), seen=newest)
    for told in snapshot.history:
        if told.number > memory.seen:
            memory = replace(_heard(memory, told, snapshot.box), seen=told.number)
    return memory


def _heard(memory: Memory, told: Told, box: Box) -> Memory:
    crow = _card(box, "crow")
    facts: dict[str, Any] = told.facts
    if told.kind != "accepted":
        return memory
    if told.what == "revealed":
        for seat, card in zip(facts["seats"], facts["cards_in_order"], strict=True):
            memory = _spend(memory, seat, card)
        memory = replace(memory, lying=dict(zip(facts["seats"], facts["cards_in_order"], strict=True)))
    elif told.what == "last card at once":
        memory = replace(memory, spent=dict.fromkeys(memory.gone, (crow,)))
        for seat, card in memory.lying.items():
            memory = _spend(memory, seat, card)
    elif told.what == "crow leaves":
        memory = replace(_spend(memory, facts["seat"], crow), gone=memory.gone | {facts["seat"]})
    elif told.what in ("last card", "last cards follow", "after the winter"):
        memory = replace(memory, spent=dict.fromkeys(memory.gone, (crow,)))
    return memory


def _spend(memory: Memory, seat: Seat, card: str) -> Memory:
    spent = memory.spent.get(seat, ())
    return memory if card in spent else replace(memory, spent=memory.spent | {seat: (*spent, card)})


# --- Choosing a card ------------------------------------------------------------------------------------------


def hunting_card(snapshot: Snapshot, seat: Seat, hand: list[str], luck: Random) -> str:
    """The hunter when the time has come; else a high card rather than a low one, the more so towards the end."""
    table: View = snapshot.table
    if HUNTER in hand and (len(hand) == 1 or luck.random() < PLAY_HUNTER):
        return HUNTER
    cards = [card for card in hand if card != HUNTER]
    near = max(table.totals) / 20
    return luck.choices(cards, [_appeal(snapshot, seat, card, near) for card in cards])[0]


def _appeal(snapshot: Snapshot, seat: Seat, card: str, near: float) -> float:
    table: View = snapshot.table
    printed = next(each for each in snapshot.box.tribe if each.id == card)
    if printed.kind == "crow":
        return HOPE_FOR_HUNTER if table.hunter not in (None, seat) else 0.4
    value = 7 if printed.value is None else printed.value
    highest = max(each.value or 0 for each in snapshot.box.tribe)
    return 0.8 + (0.4 + near) * value / highest


def best_order(snapshot: Snapshot) -> tuple[Seat, ...]:
    """S19 Where a gift may end the hunting at once: the smallest first, so that the largest is still among them."""
    table: View = snapshot.table
    if snapshot.options.get("gift_ends") != "at_once":
        return table.givers
    values = {prey.animal: prey.value for prey in snapshot.box.prey}
    held = [[values[animal] for animal, count in animals.items() if count] for animals in table.prey]
    return tuple(sorted(table.givers, key=lambda giver: min(held[giver], default=0)))


def _keeps(table: View, seat: Seat) -> bool:
    """Whether this player would lose by the swap."""
    (other,) = (each for each in table.tied if each != seat)
    return table.totals[seat] > table.totals[other]


def _looking_ms(table: View) -> int:
    """Before the first card of a hunt each player looks at the last one, and prey changes hands."""
    return 0 if any(table.laid) else LOOK_MS


# --- Cards ----------------------------------------------------------------------------------------------------


def _set(snapshot: Snapshot, seat: Seat) -> list[str]:
    cards = [card.id for card in snapshot.box.tribe]
    return [*cards, HUNTER] if snapshot.table.hunter == seat else cards


def _card(box: Box, kind: str) -> str:
    return next(card.id for card in box.tribe if card.kind == kind)


def _thing(card: str, seat: Seat) -> Thing:
    return Thing("card", HUNTER) if card == HUNTER else Thing("card", card, seat)
