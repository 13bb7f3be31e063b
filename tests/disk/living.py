"""A new home is lived in: `python -m tests.disk.living GAME SEED ACTIONS`, on the disk of disk.c, with COMPANION_HOME.

Looks are chosen, tags are kept, an evening is begun, played, left, resumed and exported. Whatever was said to be
kept is written into the disk's log at that moment: `kept entry EVENING NUMBER` or `kept file PATH<TAB>HEX`.
"""

import os
import random
import sys
from pathlib import Path
from typing import Any

from companion.gamekit import discovery
from companion.gamekit.game import Refusal
from companion.gamekit.game_start import NAMES, begin
from companion.home.paths import evenings_folder, home, looks_path, pack_path
from companion.home.preferences import LooksFile
from companion.home.tag_packs import store_pack
from companion.journal import evening_folder, ledger
from companion.journal.store import Journal
from companion.messages.lobby import GamePlan
from companion.processes.evenings import begin_evening
from companion.session.entry import action_body, correction_body, undo_body
from companion.session.evening import Evening
from companion.table.pieces import Pack
from companion.verbs.export import write_export

SITTINGS = 4
"""How often the evening is left and resumed."""


def keep(words: str) -> None:
    log = os.open(os.environ["DISK_LOG"], os.O_WRONLY | os.O_APPEND)
    os.write(log, f"kept {words}\n".encode())
    os.close(log)


def keep_file(path: Path) -> None:
    keep(f"file {path}\t{path.read_bytes().hex()}")


class Life:
    def __init__(self, game: str, seed: int, actions: int) -> None:
        self._game: Any = discovery.find(game)
        self._chance = random.Random(seed)
        self._actions = actions

    def live(self) -> None:
        self._choose("dark")
        pieces = self._game.pieces(self._game.parse_box(self._game.standin(), "the stand-in"))
        store_pack(pack_path(self._game.name), Pack({"04A1B2C3D4E5F6": pieces[0]}))
        keep_file(pack_path(self._game.name))
        players = NAMES[: max(3, self._game.players[0])]
        path = begin_evening(GamePlan(self._game.name, players, (), kit="none"))
        keep(f"entry {path.stem} 1")
        for _ in range(SITTINGS):
            self._sit(path)
            self._choose(self._chance.choice(("light", "dark", "contrast")))
            exported = home() / "game.jsonl"
            write_export(evening_folder.recall(path).evening, exported, force=True)
            keep_file(exported)

    def _choose(self, theme: str) -> None:
        LooksFile(looks_path()).keep(theme=theme)
        keep_file(looks_path())

    def _sit(self, path: Path) -> None:
        journal, evening = evening_folder.resume(path, folder=evenings_folder())
        with journal:
            for _ in range(self._actions // SITTINGS):
                self._do(journal, evening)

    def _do(self, journal: Journal, evening: Evening) -> None:
        """An action; now and then one is taken back, and when the game is over, or people have had enough, the next."""
        chance = self._chance.random()
        legal = self._game.legal(evening.state)
        correction = self._correction(evening) if 0.05 <= chance < 0.1 else None
        if chance < 0.05 and evening.to_undo:
            entry = journal.append("undo", undo_body(evening.to_undo), "button", "", 1.5)
        elif correction:
            entry = journal.append("corrected", correction, "screen", "", 1.5)
        elif legal and chance < 0.99:
            entry = journal.append("action", action_body(self._chance.choice(legal)), "tag", f"{chance}", 1.5)
        else:
            begin(evening.header, evening.setup.box)
            first = next(journal.entries())
            entry = journal.append("game", first.body, "", "", 1.5)
        evening.take(entry)
        keep(f"entry {journal.id} {entry.number}")

    def _correction(self, evening: Evening) -> bytes | None:
        """One of the newest actions was said wrongly."""
        if not evening.played_game.played:
            return None
        wrong = self._chance.choice(evening.played_game.played[-3:])
        other = self._chance.choice(self._game.legal(wrong.before))
        refused = isinstance(evening.played_game.corrected(wrong.number, other), Refusal)
        return None if refused else correction_body(wrong.number, other)


if __name__ == "__main__":
    ledger.ROOM = 12  # so that it is begun anew more often than people would live to see
    Life(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])).live()
