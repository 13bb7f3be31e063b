"""Analyses of played games. They take a minute, so a process of their own makes them, when everything else has time;
what it finds is kept beside the journal. `companion replay --analyse` is such a process."""

import os
import subprocess
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from companion.errors import UsageError
from companion.files import PYTHON
from companion.gamekit.game import Seat, named
from companion.gamekit.parts import judgement_of
from companion.gamekit.search import Skill
from companion.gamekit.simulated import PastStep
from companion.journal.evening_folder import Summary
from companion.people.analysis_files import KeptAnalysis, all_kept, keep_analysis, kept_analysis
from companion.people.game_analysis import Analyst, KnownHands, analyse
from companion.processes.simulation_settings import SimulationSettings
from companion.session.evening import Evening
from companion.session.public_snapshot import kind_of
from companion.table.interpreter import SeatPads
from companion.table.pieces import Pack

NEWEST = 5
"""Of so many evenings the newest game is analysed unasked."""
PATIENCE = 19
"""How much everything else goes before an analysis (`nice`)."""
THOROUGH = Skill(100, doubt=0.2)
"""How well each decision is thought through. An analysis has hundreds of them to judge."""
WORDS = 400
"""Letters of a problem."""


def analyst_of(evening: Evening) -> Analyst:
    """Judges the decisions of the newest game."""
    return Analyst(judgement_of(evening.game.name), THOROUGH, hands_of(evening))


def analysed(path: Path, evening: Evening, progress: Callable[[int, int], object]) -> KeptAnalysis:
    """The analysis of the newest game: the kept one, or a new one. `progress`: how many of its actions are done, and
    how many there are. Raises UsageError if the game is not over."""
    played, number = evening.played_game, len(evening.played_games)
    if not played.finished:
        raise UsageError("this game is not over: an analysis would reveal secrets before its end")
    kept = kept_analysis(path, played, number)
    if kept is not None:
        return kept
    count, analysis = len(played.played), None
    for analysis in analyse(played, analyst_of(evening)):
        progress(len(analysis.chances) - 1, count)
    if analysis is None:
        raise UsageError("there is no action in this game")
    return keep_analysis(path, played, number, analysis)


def hands_of(evening: Evening) -> KnownHands:
    """What players held in the newest game, where Companion dealt it. Of real pieces that nobody showed, only their
    players know: then what they played was in no hand that Companion would have dealt."""
    from companion.processes.referee_process import simulated_table  # noqa: PLC0415 - with all devices

    header, game, played = evening.header, evening.game, evening.played_game
    if header.stack is None or header.real:
        return lambda _step, _seat: None
    pads = SeatPads(header.kit, Pack({}), {})
    table = simulated_table(evening, pads, SimulationSettings(), deals=True)
    actions = list(played.played)
    past = [PastStep(each.before, each.action, each.step.state) for each in actions]

    def hand(step: int, seat: Seat) -> frozenset[str] | None:
        state = actions[step].before
        if kind_of(actions[step].counting) not in table.from_hand(game.name, state):
            return None
        return frozenset(piece.id for piece in table.dealt(game.name, len(evening.results), past[:step], state, seat))

    def is_dealt(step: int) -> bool:
        action = actions[step].counting
        held = hand(step, action.seat) if hasattr(action, "seat") else None
        return held is None or bool(named(action) & held)

    dealt = all(map(is_dealt, range(len(actions))))
    return hand if dealt else lambda _step, _seat: None


# --- In a process of its own ----------------------------------------------------------------------------------


def unanalysed(evenings: Iterable[Summary]) -> list[Path]:
    """The journals of the newest finished evenings whose newest game was not analysed yet, though persons played."""
    newest = [each for each in evenings if each.standing == "finished" and len(each.simulated) < len(each.players)]
    return [each.path for each in newest[:NEWEST] if not any(kept.number == each.games for kept in all_kept(each.path))]


class AnalysisProcess:
    """At most one analysis at a time, each in a process that may be ended at any moment: nothing is lost but time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._tried: set[tuple[Path, int]] = set()

    @property
    def is_busy(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def analyse_one(self, journals: Iterable[Path]) -> bool:
        """Begin with the first of these that was not tried before. False: there is none."""
        path = next((each for each in journals if (each, 0) not in self._tried), None)
        if path is not None:
            self.begin(path)
        return path is not None

    def begin(self, path: Path, number: int = 0) -> None:
        """Begin with this game of an evening, 0 for the newest one, unless it was tried before or one is under way."""
        if self.is_busy or (path, number) in self._tried:
            return
        self._tried.add((path, number))
        with suppress(OSError):
            self._process = start_analysis(path, number, quietly=True)

    def report(self, path: Path, number: int, language: str) -> list[str]:
        """Analyse this game, and return what is to be read. It blocks until that is done, or until `stop`. Raises
        UsageError."""
        try:
            self._process = process = start_analysis(path, number, language)
        except OSError as error:
            raise UsageError(f"the analysis cannot be started: {error.strerror}") from None
        said, complained = (each.decode(errors="replace") for each in process.communicate())
        if process.returncode:
            words = complained.strip().rpartition("companion: ")[2]
            raise UsageError(words[:WORDS] or "the analysis was broken off")
        return said.rstrip("\n").split("\n")

    def stop(self) -> None:
        """May be called twice."""
        process, self._process = self._process, None
        if process is not None:
            if process.poll() is None:
                process.kill()
                self._tried.clear()
            process.wait()


def start_analysis(
    path: Path, number: int = 0, language: str = "", *, quietly: bool = False
) -> "subprocess.Popen[bytes]":
    """`quietly`: it prints and saves nothing but what is kept. Raises OSError."""
    arguments = ["--game", str(number)] if number else []
    arguments += ["--language", language] if language else []
    arguments += ["--quietly"] if quietly else []
    return subprocess.Popen(
        [*PYTHON, "-m", "companion", "replay", "--analyse", *arguments, "--", str(path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if quietly else subprocess.PIPE,
        stderr=subprocess.DEVNULL if quietly else subprocess.PIPE,
        start_new_session=True,
    )


def step_back() -> None:
    """This process makes an analysis: everything else goes first."""
    with suppress(OSError):
        os.nice(PATIENCE)
