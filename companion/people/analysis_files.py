"""The analyses of finished games beside their journals: each is made once, and kept until its game changes.

A kept analysis is a cache, and may be deleted at any time. Nothing is ever kept of a game that is not over.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.files import changing, load, store
from companion.journal.evening_folder import ANALYSIS
from companion.people.game_analysis import GameAnalysis, JudgedDecision, fingerprint
from companion.people.past_games import FoldedEvening, versions
from companion.session.played_game import PlayedGame

MOST_BYTES = 4 * 1024 * 1024
PUZZLE = 0.1
"""A decision makes a puzzle when it cost this much of a victory."""


class KeptAnalysis(Struct, frozen=True):
    """An analysis, and what it was made of."""

    game: str
    number: int
    """Which game of the evening, from 1."""
    versions: dict[str, str]
    fingerprint: str
    analysis: GameAnalysis
    solved: frozenset[int] = frozenset()
    """The steps of the puzzles that players have tried."""

    def puzzles(self) -> list[JudgedDecision]:
        """What players have not tried yet, the clearest first."""
        clear = (each for each in self.analysis.decisions if each.is_clear and each.cost >= PUZZLE)
        return sorted((each for each in clear if each.step not in self.solved), key=lambda each: -each.cost)


def analysis_path(journal: Path, game: str, number: int, end: str = ANALYSIS) -> Path:
    """2026-11-18-1-lascaux-1-analysis.json: beside the journal and the saved result, and removed with them."""
    return journal.with_name(f"{journal.stem}-{game}-{number}{end}")


def kept_analysis(journal: Path, played: PlayedGame, number: int) -> KeptAnalysis | None:
    """What is kept of this game, if it is still so; None: nothing."""
    found = _read(analysis_path(journal, played.game.name, number))
    fits = found is not None and played.finished and found.fingerprint == fingerprint(played)
    return found if fits else None


def keep_analysis(journal: Path, played: PlayedGame, number: int, analysis: GameAnalysis) -> KeptAnalysis:
    """If it cannot be stored it is made again when it is needed."""
    kept = KeptAnalysis(played.game.name, number, versions(), fingerprint(played), analysis)
    _write(journal, kept)
    return kept


def keep_solved(journal: Path, kept: KeptAnalysis, step: int) -> KeptAnalysis:
    """Players have tried the puzzle of this step."""
    kept = replace(kept, solved=kept.solved | {step})
    _write(journal, kept)
    return kept


def analyses_of(journal: Path, folded: FoldedEvening) -> tuple[dict[str, GameAnalysis], int]:
    """What is kept of the finished games of an evening, by their ids; and the number of the newest one if its analysis
    is missing, or 0. Games of bots alone need none."""
    found, missing = dict[str, GameAnalysis](), 0
    for number, (game, played) in enumerate(zip(folded.games, folded.played, strict=True), 1):
        kept = kept_analysis(journal, played, number)
        if kept is not None:
            found[game.id] = kept.analysis
        is_missing = kept is None and played.finished and len(played.header.simulated) < len(played.header.players)
        missing = number if is_missing else 0
    return found, missing


def all_kept(journal: Path) -> Iterator[KeptAnalysis]:
    """What is kept of the games of an evening, without reading its journal: whether it still fits is not known."""
    for path in sorted(journal.parent.glob(f"{journal.stem}-*{ANALYSIS}")):
        found = _read(path)
        if found is not None and path == analysis_path(journal, found.game, found.number):
            yield found


def _read(path: Path) -> KeptAnalysis | None:
    with suppress(OSError, ValueError):  # msgspec's errors are ValueErrors; what is damaged is made again
        found = msgspec.json.decode(load(path, MOST_BYTES), type=KeptAnalysis)
        return found if found.versions == versions() else None
    return None


def _write(journal: Path, kept: KeptAnalysis) -> None:
    with suppress(OSError), changing(journal.parent):
        store(analysis_path(journal, kept.game, kept.number), msgspec.json.encode(kept), 0o600)
