"""`companion new-game`: a folder that plays, adjudicates and keeps its contract at once, with its rules alone."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.errors import GameError, UsageError
from companion.gamekit.template import LIKE, write_game
from tests.strangers import announce, run_in
from tests.verbs.command import Command


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "companion-hen-party"
    write_game("hen-party", folder)
    announce(folder, "hen-party", "hen_party")
    return folder


def companion(folder: Path, *words: str, status: int = 0) -> str:
    return run_in(folder, "-m", "companion", *words, status=status)


def for_so_many(folder: Path, players: str) -> None:
    """The game is for another number of players."""
    rules = folder / "hen_party" / "rules.py"
    rules.write_text(rules.read_text().replace("players=range(2, 6)", f"players={players}"))


# --- A game that is its rules alone ---------------------------------------------------------------------------


def test_the_manifest_names_the_rules_and_their_words_and_no_other_part(game: Path) -> None:
    named = run_in(game, "-c", "import hen_party; print(*hen_party.MANIFEST)")
    assert named.split() == ["name", "title", "api", "rules", "words"]


@pytest.mark.parametrize("kit", ["one", "full"])
def test_it_plays_as_a_demo_with_either_kit(game: Path, kit: str) -> None:
    told = companion(game, "demo", "hen-party", "--headless", "--seed", "1", "--kit", kit)
    assert re.search(r"\w+ takes the last counter\n.*wins\.\n$", told, re.DOTALL)


@pytest.mark.slow
def test_it_keeps_its_contract(game: Path) -> None:
    tested = run_in(game, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "tests")
    assert re.search(r"^\d\d passed", tested, re.MULTILINE)


def test_its_first_transcript_is_adjudicated(game: Path) -> None:
    verdict = json.loads(companion(game, "adjudicate", "tests/first.jsonl", "--json", status=1))
    assert verdict["game"] == "hen-party"
    assert [refusal["rule"] for refusal in verdict["refusals"]] == ["R2"]
    assert verdict["awaiting"] == {"seats": [0], "do": ["take"]}


def test_what_was_played_can_be_exported_and_adjudicated(game: Path) -> None:
    """A transcript goes round: through the referee, its journal and the file that it is exported to."""
    play = """
from companion.messages.lobby import GamePlan
from companion.processes.evenings import begin_evening
from companion.processes.referee_process import seat_pads_of
from companion.journal.evening_folder import resume
from companion.referee.referee import Referee
from companion.messages.intentions import Act
path = begin_evening(GamePlan("hen-party", ("Anna", "Ben"), kit="none"))
journal, evening = resume(path)
with journal:
    referee = Referee(journal, evening, seat_pads_of(evening))
    for number in range(7):
        assert referee.heed(Act(str(number), {"do": "take", "seat": number % 2, "count": 3}), 1.0).kind == "accepted"
print(path.stem)
"""
    evening = run_in(game, "-c", play).strip()
    companion(game, "export", evening, "-o", "played.jsonl")
    assert companion(game, "adjudicate", "played.jsonl").rstrip().endswith("Winner: Anna")


def test_its_screen_and_its_enrolment_are_made_by_the_kit(game: Path) -> None:
    asked = """
from companion.gamekit.parts import enrolment_plan
from companion.gamekit.screen.face_discovery import find_face
print(type(find_face("hen-party")).__name__, len(enrolment_plan("hen-party").steps({"game": "hen-party"}, {})))
"""
    assert run_in(game, "-c", asked).split() == ["PlainFace", "0"]


def test_a_game_without_pieces_has_nothing_to_enrol(game: Path) -> None:
    assert "there is nothing to enrol" in companion(game, "enroll", "hen-party", status=2)


# --- For any number of players --------------------------------------------------------------------------------


@pytest.mark.parametrize(("span", "players"), [("range(2, 4)", 3), ("range(2, 6)", 4), ("range(6, 9)", 6)])
def test_a_demo_has_as_many_players_as_is_usual_or_as_the_game_allows(game: Path, span: str, players: int) -> None:
    for_so_many(game, span)
    told = companion(game, "demo", "hen-party", "--headless", "--seed", "1")
    assert len(re.findall(r"^\w+: \d points?$", told, re.MULTILINE)) == players


@pytest.mark.slow
def test_a_game_for_more_people_than_there_are_pads_keeps_its_contract_and_shares_a_reader(game: Path) -> None:
    for_so_many(game, "range(6, 12)")
    run_in(game, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "tests")
    companion(game, "demo", "hen-party", "--headless", "--players", "11")
    companion(game, "demo", "hen-party", "--headless", "--kit", "full", status=2)


# --- What cannot be written -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "Hen", "hen party", "../hen", "2hens", "hen-", "größe"])
def test_a_name_is_made_of_letters_digits_and_hyphens(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="is no name for a game: lower-case letters"):
        write_game(name, tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["class", "random", "companion", "tests"])
def test_a_name_that_python_knows_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="means something else to Python"):
        write_game(name, tmp_path / "new")


@pytest.mark.parametrize("name", ["rich", "segno", "test", "msgspec"])
def test_a_name_that_a_library_has_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=f"a module '{name}' is installed here"):
        write_game(name, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_game_that_is_written_again_is_told_so_although_its_module_is_found(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(game))
    with pytest.raises(UsageError, match="is there already: name another folder"):
        write_game("hen-party", game)


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is a game 'lascaux' already"):
        write_game("lascaux", tmp_path / "new")


def test_nothing_that_is_there_is_written_over(game: Path) -> None:
    before = {path: path.read_bytes() for path in game.rglob("*") if path.is_file()}
    with pytest.raises(UsageError, match="is there already"):
        write_game("hen-party", game)
    assert {path: path.read_bytes() for path in game.rglob("*") if path.is_file()} == before


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(GameError, match="cannot write the new game"):
        write_game("hen-party", tmp_path / "file" / "new")


def test_the_verb_says_what_to_do_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    said = Command(capsys)("new-game", "hen-party")
    assert said.status == 0
    assert "pip install -e 'companion-hen-party[test]'" in said.out
    assert (tmp_path / "companion-hen-party" / "hen_party" / "rules.py").exists()


# --- Like another kind of game --------------------------------------------------------------------------------


@pytest.mark.parametrize("like", LIKE)
def test_a_start_of_another_kind_plays_and_keeps_its_contract(tmp_path: Path, like: str) -> None:
    folder = tmp_path / "companion-hen-party"
    write_game("hen-party", folder, like)
    announce(folder, "hen-party", "hen_party")
    assert "hen-party keeps the contract" in companion(folder, "check", "hen-party")
    assert len(json.loads(companion(folder, "adjudicate", "tests/first.jsonl", "--json", status=1))["refusals"]) == 1
    assert "| R1 | set-up |" in (folder / "README.md").read_text()
    assert "$" not in "".join(path.read_text() for path in folder.rglob("*.py"))


WITH_HANDS = {
    "    bids: Sealed[int]\n": "    bids: Sealed[int]\n    hands: PerSeat[Private[tuple[int, ...]]]\n",
    "def legal(": """def legal(state: State) -> list[Bid]:
    if state.lot not in LOTS:
        return []
    return [Bid(seat, card) for seat in missing_seats(state.bids) for card in state.hands[seat]]


def offered(""",
    "    after = replace(state, bids=": """\
    left = tuple(card for card in state.hands[action.seat] if card != action.card)
    state = replace(state, hands=with_item(state.hands, action.seat, left))
    after = replace(state, bids=""",
    "        bids=(None,) * agreed": "        hands=(tuple(CARDS),) * agreed.players,\n        bids=(None,) * agreed",
    "    perform=perform,\n": "    perform=perform,\n    offered=offered,\n",
}
"""Each player has the same cards: to shuffle all hands would give a player what they have spent."""


def test_hands_that_a_search_would_imagine_wrongly_break_the_contract(tmp_path: Path) -> None:
    folder = tmp_path / "companion-hen-party"
    write_game("hen-party", folder, "bidding")
    announce(folder, "hen-party", "hen_party")
    rules = folder / "hen_party" / "rules.py"
    text = rules.read_text()
    for before, after in WITH_HANDS.items():
        assert before in text
        text = text.replace(before, after, 1)
    rules.write_text(text)
    told = companion(folder, "check", "hen-party", status=1)
    assert "imagines only hands that are possible, as far as all know: leave out of the state what follows" in told
    assert re.search(r'\{"do":"bid","seat":\d,"card":\d\} could be done with such a hand, and is not `offered`', told)


def test_the_command_writes_the_folder_that_the_docs_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Command(capsys)("new-game", "hen-party", "--like", "tiles").status == 0
    page = (Path(__file__).parents[2] / "docs" / "game-recipes.md").read_text()
    assert "companion new-game hen-party --like tiles" in page
    assert "`companion-hen-party/`" in page
    assert "class Draw" in (tmp_path / "companion-hen-party" / "hen_party" / "rules.py").read_text()


# --- While it is written --------------------------------------------------------------------------------------


def test_try_shows_the_table_of_a_game_that_is_not_installed(tmp_path: Path) -> None:
    write_game("hen-party", tmp_path / "mygame")
    told = companion(tmp_path, "try", "./mygame", "--once", "--action", "3")
    assert "On a screen\n  Ben: Take\n" in told.replace("Anna: Take", "Ben: Take")
    assert "The table after it" in told


def test_try_shows_it_again_whenever_a_file_is_saved_also_after_a_mistake(tmp_path: Path) -> None:
    write_game("hen-party", tmp_path / "mygame")
    rules = tmp_path / "mygame" / "hen_party" / "rules.py"
    sound = rules.read_text()
    env = os.environ | {"COMPANION_HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    words = [sys.executable, "-m", "companion", "try", str(tmp_path / "mygame")]
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as trying:

        def shown() -> str:
            assert trying.stdout is not None
            lines = []
            while not lines or not lines[-1].startswith("Waiting for a change"):
                lines.append(trying.stdout.readline())
                assert lines[-1], "".join(lines)
            return "".join(lines)

        try:
            assert "heap: " in shown()
            rules.write_text(sound.replace("HEAP = 21", "HEAP = 21 / 0"))
            assert re.search(r"ZeroDivisionError: division by zero, in hen_party/rules.py, line \d+", shown())
            rules.write_text(sound.replace("HEAP = 21", "HEAP = 99"))
            assert "heap: 9" in shown()
        finally:
            trying.terminate()


@pytest.mark.parametrize("text", [None, "", "[project]\nname = 'hens'\n", "project = 3"])
def test_a_folder_without_a_game_cannot_be_tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None
) -> None:
    if text is not None:
        (tmp_path / "pyproject.toml").write_text(text)
    said = Command(capsys)("try", str(tmp_path), "--once")
    assert said.status == 2
    assert ("there is no such file" if text is None else 'one entry in "companion.games"') in said.err
