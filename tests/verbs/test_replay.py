"""`companion replay` in a real terminal, with the process that knows the journal beside it."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from companion.journal import evening_folder
from companion.messages.lobby import GamePlan
from companion.people.analysis_files import all_kept, keep_analysis
from companion.people.game_analysis import Alternative, GameAnalysis, JudgedDecision, as_data
from companion.processes.evenings import begin_evening
from companion.session.entry import action_body
from companion.verbs.export import write_export
from tests.verbs.terminal import Terminal

ANNA = ("Anna", "Ben", "Cleo")


def played(game: str, actions: int) -> Path:
    """An evening of so many actions, at random."""
    path = begin_evening(GamePlan(game, ANNA, kit="none"))
    journal, evening = evening_folder.resume(path)
    chance = random.Random(3)
    with journal:
        journal._ledger.durable = False
        for _ in range(actions):
            if legal := evening.game.legal(evening.state):
                evening.take(journal.append("action", action_body(chance.choice(legal)), "screen", "", 1.0))
    return path


def refused(*words: str) -> str:
    """What the process that knows says, and that it ends with status 2."""
    socket = Path(os.environ["COMPANION_HOME"]) / "s"
    said = subprocess.run(
        [sys.executable, "-m", "companion", "replay", "--serve", str(socket), *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert said.returncode == 2, said
    return said.stderr


@pytest.mark.usefixtures("home")
def test_a_game_is_gone_through_on_the_table_screen_and_its_journal_is_left_alone(tmp_path: Path) -> None:
    path = played("lascaux", 30)
    before = path.read_bytes()
    with Terminal("replay", path.stem) as terminal:
        terminal.until_painted("looking back: step 0 of 30")
        terminal.press("\x1b[C")
        terminal.until_painted("step 1 of 30")
        terminal.press("\x1b[F")
        terminal.until_painted("step 30 of 30")
        terminal.press("\x1b[D")
        terminal.until_painted("step 29 of 30")
        assert terminal.quit() == 0
    assert path.read_bytes() == before
    assert sorted(name.name for name in path.parent.iterdir()) == [path.name]


@pytest.mark.usefixtures("home")
def test_a_transcript_is_gone_through_as_well(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    write_export(evening_folder.recall(played("lascaux", 20)).evening, path)
    with Terminal("replay", str(path)) as terminal:
        terminal.until_painted(r"looking back: step 0 of \d+")
        assert terminal.quit() == 0


@pytest.mark.usefixtures("home")
def test_what_no_player_may_see_yet_is_refused_with_the_reason() -> None:
    lascaux, sioux = played("lascaux", 10), played("sioux", 10)
    assert "this game is not over" in refused("--open", lascaux.stem)
    assert "you can replay it when it is over" in refused(sioux.stem)
    assert "there is no game 7" in refused("--game", "7", lascaux.stem)
    assert "there is no evening" in refused("nothing")


@pytest.mark.usefixtures("home")
def test_the_reason_is_what_the_terminal_says() -> None:
    path = played("sioux", 10)
    with Terminal("replay", path.stem) as terminal:
        assert terminal.wait() == 2
        assert "you can replay it when it is over" in " ".join(terminal.text.split())


@pytest.mark.usefixtures("home")
def test_a_puzzle_from_a_finished_game_is_offered_asked_and_answered() -> None:
    path = played("lascaux", 5000)
    evening = evening_folder.recall(path).evening
    actions = evening.played_game.played
    step = next(number for number, each in enumerate(actions) if as_data(each.action)["do"] == "stone")
    seat = actions[step].action.seat
    done, other = Alternative(as_data(actions[step].action), 0.2), Alternative({"do": "pass", "seat": seat}, 0.7)
    decision = JudgedDecision(step, seat, done, other, is_clear=True)
    keep_analysis(path, evening.played_game, 1, GameAnalysis(((0.3, 0.3, 0.4),), (), (decision,)))
    with Terminal("play") as terminal:
        terminal.until_painted("Puzzle")
        terminal.press("z")
        terminal.until_painted("A puzzle")
        terminal.until_painted(f"puzzle: step {step}, the decision of {ANNA[seat]}")
        terminal.forget()
        terminal.press("\r")
        for _ in range(30):  # while the dialog still closes, the key means nothing
            terminal.press("s")
            for _ in range(20):
                terminal.read()
            if "The answer" in terminal.text:
                break
        terminal.until_painted("The answer")
        terminal.until_painted("(about 20 %)")
        terminal.until_painted("(about 70 %)")
        terminal.press("\r")
        terminal.forget()
        terminal.press("q")
        terminal.until_painted("Last evenings")
        assert terminal.quit() == 0
    assert next(all_kept(path)).solved == {step}
