"""A whole table around the pure referee: a real journal, hands, a screen, and a clock that moves by hand."""

import json
import random
from collections.abc import Iterable
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from companion.gamekit import discovery
from companion.gamekit.game import Thing
from companion.gamekit.game_start import Header
from companion.gamekit.snapshot import Snapshot, Told
from companion.journal import evening_folder
from companion.journal.store import Journal, read
from companion.language.wording import say
from companion.messages.intentions import Act, Agree, Decline, Intention, NextGame, Undo
from companion.processes.referee_process import seat_pads_of
from companion.referee.referee import Referee
from companion.session.entry import Entry
from companion.session.evening import Evening, game_body
from companion.simulation.simulated_table import SimulatedTable
from companion.stations import CENTRE
from companion.table.interpreter import SeatPads
from companion.table.signals import Held, Pressed, Signal, TagPlaced, TagRemoved
from tests.left_open import at_the_end

LASCAUX = discovery.find("lascaux")
STANDIN = LASCAUX.standin()
NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil")
TONIGHT = date(2026, 11, 16)
ALL_SIX = ("aurochs-brown-blue", "aurochs-yellow-white", "aurochs-green-pink")
"""Three cards that show all six colours."""


def telltale_box() -> str:
    """The stand-in with colours that occur nowhere else: where one of them is seen, a marker or a card was told."""
    box = LASCAUX.parse_box(STANDIN, "the stand-in")
    lines = ['game = "lascaux"', 'provenance = "enrolled"', f"colours = {_telltale(box.colours)}"]
    for number, card in enumerate(box.cards, 1):
        lines += [
            "[[cards]]",
            f'id = "card-{number}"',
            f'animal = "{card.animal}"',
            f"colours = {_telltale(card.colours)}",
        ]
    return "\n".join(lines)


def _telltale(colours: Iterable[str]) -> str:
    return json.dumps([f"zz{colour}" for colour in colours])


class Table:
    def __init__(
        self,
        folder: Path,
        players: int = 3,
        kit: Any = "full",
        box: str = "",
        *,
        first: int = 0,
        game: str = "lascaux",
        **options: str,
    ) -> None:
        """`box`: the game's stand-in, if nothing is said."""
        self.journal = Journal.create(folder, date=TONIGHT)
        at_the_end(self.close)
        self.now = 1_794_600_000.0
        self._ids = count(1)
        header = Header(game, NAMES[:players], first, dict(options))
        box = box or discovery.find(game).standin()
        entry = self.journal.append("game", game_body(header, box, range(players), kit), "", "", self.now)
        self.evening = Evening([entry])
        self.seat_pads: SeatPads = seat_pads_of(self.evening)
        self._uids = {piece: uid for uid, piece in self.seat_pads.pack.tags.items()}
        self.referee = Referee(self.journal, self.evening, self.seat_pads)

    @property
    def entries(self) -> list[Entry]:
        """What another process reads in the file."""
        return read(self.journal.path)

    @property
    def seen(self) -> Snapshot:
        return self.referee.snapshot()

    @property
    def shown(self) -> Snapshot:
        """The snapshot without its number and its history: where the table stands."""
        return msgspec.structs.replace(self.seen, number=0, history=())

    @property
    def newest(self) -> Told:
        return self.seen.history[-1]

    def words(self, told: Told) -> str:
        return say(told, self.evening.game.sentences, self.evening.header.players)

    def reopen(self) -> "Table":
        """The referee dies and another one takes the evening up."""
        self.journal.close()
        self.journal, self.evening = evening_folder.resume(self.journal.path)
        self.referee = Referee(self.journal, self.evening, self.seat_pads)
        return self

    def simulate(self, *seats: int) -> None:
        """The computer plays these seats, and no others."""
        played = self.evening.played_game
        played.header = msgspec.structs.replace(played.header, simulated=seats)

    def close(self) -> None:
        """Whichever journal it has by now."""
        self.journal.close()

    def hurry(self) -> "Table":
        """Do not wait for the disk: for tests that play whole games and pull no plug."""
        self.journal._ledger.durable = False
        return self

    # --- A screen ---------------------------------------------------------------------------------------------

    def heed(self, intention: Intention) -> Told:
        self.now += 1.0
        return self.referee.heed(intention, self.now)

    def new_id(self) -> str:
        return f"screen-{next(self._ids)}"

    def act(self, do: str, **fields: Any) -> Told:
        return self.heed(Act(self.new_id(), {"do": do, **fields}))

    def undo(self) -> Told:
        return self.heed(Undo(self.new_id()))

    def agree(self, seat: int) -> Told:
        return self.heed(Agree(self.new_id(), seat))

    def decline(self) -> Told:
        return self.heed(Decline(self.new_id()))

    def next_game(self) -> Told:
        return self.heed(NextGame(self.new_id()))

    # --- Hands ------------------------------------------------------------------------------------------------

    def hear(self, signal: Signal) -> Told:
        return self.referee.hear(signal, self.now)

    @property
    def now_ms(self) -> int:
        self.now += 1.0
        return int((self.now - 1_794_600_000.0) * 1000)

    def uid(self, piece: Thing) -> str:
        return self._uids[piece]

    def tap(self, piece: Thing, station: str = CENTRE) -> Told:
        """Laid on a reader and lifted again."""
        told = self.hear(TagPlaced(station, self.now_ms, self.uid(piece)))
        self.hear(TagRemoved(station, self.now_ms, self.uid(piece)))
        return told

    def card(self, card: str) -> Told:
        return self.tap(Thing("card", card))

    def marker(self, seat: int, colour: str, station: str = CENTRE) -> Told:
        return self.tap(Thing("marker", colour, seat), station)

    def press(self, button: str, station: str = CENTRE) -> Told:
        return self.hear(Pressed(station, self.now_ms, button))

    def hold(self, button: str, station: str = CENTRE) -> Told:
        return self.hear(Held(station, self.now_ms, button))

    # --- Whole stretches of a game ----------------------------------------------------------------------------

    def to_choosing(self) -> "Table":
        for card in ALL_SIX:
            assert self.card(card).kind == "accepted"
        return self

    def to_bidding(self, *colours: str) -> "Table":
        """Seat 0 chooses the first colour, seat 1 the second…"""
        self.to_choosing()
        for seat, colour in enumerate(colours or ("brown", "yellow", "green", "pink", "white")[: self.players]):
            assert self.act("choose", seat=seat, colour=colour).kind == "accepted"
        return self

    def to_reveal(self, *colours: str) -> "Table":
        """The first round is over: all but the last one have passed."""
        self.to_bidding(*colours)
        for seat in range(self.players - 1):
            assert self.act("pass", seat=seat).kind == "accepted"
        return self

    @property
    def players(self) -> int:
        return len(self.evening.header.players)

    def play_to_end(self, seed: int = 1) -> "Table":
        """By screen, at random, without changed minds and without the agreed end."""
        hands = random.Random(seed)
        while any(self._choices()):
            self._do(hands.choice(self._choices()))
        return self

    def play_to_stalemate(self) -> "Table":
        """L16 With the deck empty every player chooses what no card shows. Not every deal comes to that."""
        for seed in count():
            hands = random.Random(seed)
            while choices := self._choices():
                if self.evening.state.stalemate:
                    return self
                if not self.evening.state.deck and self.evening.state.phase == "choose":
                    choices = self._shy(choices) or choices
                self._do(hands.choice(choices))
            assert self.next_game().kind == "noted"
        raise AssertionError("numbers do not end")

    def _choices(self) -> list[Any]:
        state = self.evening.state
        offered = [action for action in LASCAUX.legal(state) if type(action).__name__ != "End"]
        return [action for action in offered if state.phase != "choose" or state.choices[action.seat] is None]

    def _shy(self, choices: list[Any]) -> list[Any]:
        shown = {colour for card in self.evening.state.row for colour in card.colours}
        return [action for action in choices if action.colour not in shown]

    def _do(self, action: Any) -> None:
        assert self.heed(Act(self.new_id(), msgspec.to_builtins(action))).kind == "accepted"

    def simulation(self, seed: int, mischief: float) -> SimulatedTable:
        kit = "one" if self.seat_pads.kit == "one" else "full"
        return SimulatedTable(seed, range(self.players), kit, mischief, self.seat_pads.pack)
