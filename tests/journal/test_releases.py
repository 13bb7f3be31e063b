"""What earlier releases have written is read by this one: evenings with their ledgers, boxes and packs of tags."""

import asyncio
import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.gamekit import discovery
from companion.hall.director_orders import answer_line, standings_text
from companion.hall.hall import Hall
from companion.hall.hall_store import HallStore
from companion.home.box_files import find_box
from companion.home.paths import earlier_plays_path, evenings_folder, past_games_path, people_path
from companion.home.tag_packs import find_pack, read_pack
from companion.journal.evening_folder import recall, resume, summary
from companion.journal.ledger import ledger_of, read_ledger
from companion.journal.store import Journal
from companion.people.past_games import past_games
from companion.people.persons import load_people
from companion.session.entry import action_body
from companion.session.evening import Evening
from companion.session.transcript_export import transcript
from tests.data.releases import EXPECTED, FOLDER, LINK, releases, written
from tests.ours import GAMES
from tests.verbs.command import Command

EVENINGS = [(path.name, name) for path in releases() for name in json.loads((path / EXPECTED).read_text("utf-8"))]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The owner's folder, which is written to."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def kept(release: str, home: Path) -> dict[str, Any]:
    shutil.copytree(FOLDER / release, home)
    found: dict[str, Any] = json.loads((home / EXPECTED).read_text("utf-8"))
    return found


def test_the_first_release_is_kept_with_evenings_of_every_game() -> None:
    expected = json.loads((FOLDER / "1.0.0" / EXPECTED).read_text("utf-8"))
    standings = {(each["game"], each["standing"]) for each in expected.values()}
    assert standings == {(game, standing) for game in GAMES for standing in ("finished", "open")}
    assert len(expected) == 3 * len(GAMES)


@pytest.mark.parametrize(("release", "name"), EVENINGS)
def test_an_evening_of_an_earlier_release_is_listed_exported_and_resumed(release: str, name: str, home: Path) -> None:
    expected = kept(release, home)[name]
    path = evenings_folder() / f"{name}.journal"
    found = summary(path)
    assert (found.problem, found.game, found.standing) == ("", expected["game"], expected["standing"])
    assert found.actions == expected["actions"]
    if found.result is not None:
        assert [list(found.result.totals), list(found.result.winners)] == [expected["totals"], expected["winners"]]
    journal, evening = resume(path, folder=evenings_folder())
    with journal:
        assert transcript(evening).splitlines() == expected["transcript"]
        more = play_on(journal, evening) if expected["standing"] == "open" else 0
        state = evening.state
    again = recall(path)
    assert (again.problem, again.evening.state) == ("", state)
    assert summary(path).actions == expected["actions"] + more


def play_on(journal: Journal, evening: Evening) -> int:
    """A few more actions, stored and counted as the referee does it. How many."""
    hands = random.Random(1)
    for number in range(10):
        legal = evening.game.legal(evening.state)
        assert legal, f"the game was over after {number} more actions"
        body = action_body(hands.choice(legal))
        evening.take(journal.append("action", body, "key", "", 1_900_000_000.0 + number))
    return 10


@pytest.mark.parametrize("release", [path.name for path in releases()])
def test_ledgers_boxes_and_packs_of_an_earlier_release_are_read(release: str, home: Path) -> None:
    kept(release, home)
    for path in (home / "evenings").glob("*-9.journal"):  # the power failed while these were open
        ledger = read_ledger(ledger_of(path))
        assert ledger is not None
    for name in GAMES:
        game = discovery.find(name)
        found = find_box(game)
        assert found.origin == str(home / "boxes" / f"{name}.toml")
        assert len(find_pack(game, found.box).tags) == len(read_pack(home / "tags" / f"{name}.toml").tags) > 10
    written_on = read_pack(home / "tags" / "lascaux.toml")
    assert (written_on.tokens.keys(), written_on.links) == (written_on.tags.keys(), LINK)


@pytest.mark.parametrize("release", [path.name for path in releases()])
def test_the_commands_list_and_export_the_evenings_of_an_earlier_release(
    release: str, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = kept(release, home)
    command = Command(capsys)
    listed = command("games")
    assert (listed.status, listed.err) == (0, "")
    for name, each in expected.items():
        assert f"{name}  " in listed.out
        out = tmp_path / f"{name}.jsonl"
        assert command("export", name, "-o", str(out)).status == 0
        assert out.read_text("utf-8").splitlines()[1:] == each["transcript"][1:]
        assert command("adjudicate", str(out)).status == 0


@pytest.mark.parametrize("release", [path.name for path in releases()])
def test_people_and_imported_plays_of_an_earlier_release_are_read(release: str, home: Path) -> None:
    expected = kept(release, home)
    people = load_people(people_path())
    ben = people.called("Benny")
    assert ben is not None
    assert ben.name == "Ben"
    games = past_games(evenings_folder(), past_games_path(), earlier_plays_path())
    assert games.problems == ()
    finished = [name for name, each in expected.items() if each["standing"] == "finished"]
    assert {game.evening for game in games.games if game.finished} == {"imported-1", *finished}


@pytest.mark.parametrize("release", [path.name for path in releases()])
def test_secret_choices_of_an_earlier_release_are_verified(
    release: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = kept(release, home)
    said = Command(capsys)("games", "--verify")
    assert (said.status, said.err) == (0, "")
    assert said.out.count("  sound: ") == len(expected)
    assert said.out.count("secret choices of bots, each as it was committed") >= 2 * len(GAMES)


@pytest.mark.parametrize("release", [path.name for path in releases()])
def test_a_club_night_of_an_earlier_release_goes_on(release: str, home: Path) -> None:
    kept(release, home)

    async def points(*lines: str) -> list[int]:
        """In the standings: of all players, the best first."""
        store = HallStore(str(home / "hall" / "hall.sqlite"))
        hall = Hall(store, lambda: 1_900_000_000.0)
        await hall.open()
        running = asyncio.create_task(hall.run())
        for line in lines:
            await answer_line(hall, line)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        store.close()
        return [int(line.split()[2]) for line in standings_text(hall.state).splitlines()]

    assert asyncio.run(points()) == [5, 3, 2]
    assert sum(asyncio.run(points("seat", "start", "result 1: 10 20 30", "end"))) == 20


def test_what_a_release_has_written_is_never_written_over(tmp_path: Path) -> None:
    with pytest.raises(FileExistsError):
        written(tmp_path)
