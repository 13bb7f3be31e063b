"""A table that keeps a journal, for tests: a clock by hand, hands that play at random."""

import random
from datetime import date
from typing import Any

import msgspec

from companion.gamekit import discovery
from companion.gamekit.game_start import Header
from companion.games.lascaux.rules.engine import Choose, End
from companion.journal.store import Journal
from companion.session.entry import Entry, EntryKind, action_body, undo_body
from companion.session.evening import Evening, Taken, game_body

TONIGHT = date(2026, 11, 16)
LASCAUX = discovery.find("lascaux")
STANDIN = LASCAUX.standin()
NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil")


class Clock:
    """Moves only when a test says so, or by one second with each look."""

    def __init__(self, now: float = 1_794_600_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


class Tape:
    """A journal in memory: what `Journal` stores, without a disk."""

    def __init__(self) -> None:
        self.kept: list[Entry] = []
        self._clock = Clock()

    def append(self, kind: EntryKind, body: bytes, how: str, cause: str, at: float) -> Entry:
        self.kept.append(Entry(len(self.kept) + 1, at, kind, how, cause, body))
        return self.kept[-1]


class Table:
    """A message comes, it is stored, then it counts: as the referee does it."""

    def __init__(self, journal: "Journal | Tape | None" = None, players: int = 3, **options: str) -> None:
        self.journal = journal or Tape()
        self.evening = Evening()
        self.clock = Clock()
        self.begin(players=players, **options)

    def begin(self, players: int = 3, first: int = 0, **options: str) -> Taken:
        header = Header("lascaux", NAMES[:players], first, dict(options))
        return self._take("game", game_body(header, STANDIN), "", "")

    def do(self, action: Any, how: str = "tag", cause: str = "") -> Taken:
        return self._take("action", action_body(action), how, cause)

    def undo(self) -> Taken:
        assert self.evening.to_undo, "there is nothing to undo"
        return self._take("undo", undo_body(self.evening.to_undo), "button", "")

    def _take(self, kind: EntryKind, body: bytes, how: str, cause: str) -> Taken:
        return self.evening.take(self.journal.append(kind, body, how, cause, self.clock()))

    @property
    def entries(self) -> list[Entry]:
        return self.journal.kept if isinstance(self.journal, Tape) else list(self.journal.entries())

    # --- Hands that play --------------------------------------------------------------------------------------

    def play_at_random(self, hands: random.Random, actions: int = 5000, undo: float = 0.0) -> None:
        """So many actions, or until the game is over; now and then a player undoes one."""
        for _ in range(actions):
            if self.evening.last_action and hands.random() < undo:
                self.undo()
            elif legal := LASCAUX.legal(self.evening.state):
                self.do(hands.choice(legal))
            else:
                return

    def play_to_stalemate(self, hands: random.Random) -> bool:
        """L16 With the deck empty every player chooses what no card shows. Whether the table may now agree to end."""
        while legal := LASCAUX.legal(self.evening.state):
            state = self.evening.state
            if End() in legal:
                return True
            shown = {colour for card in state.row for colour in card.colours}
            shy = [action for action in legal if isinstance(action, Choose) and action.colour not in shown]
            self.do(hands.choice(legal if state.deck else shy or legal))
        return False


def replaced(entry: Entry, action: Any) -> Entry:
    return msgspec.structs.replace(entry, body=action_body(action))
