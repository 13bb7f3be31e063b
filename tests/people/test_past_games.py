"""Results are folded from journals: with undo and corrections, without pauses, and again when a journal changes."""

import random
import shutil
from pathlib import Path

import pytest

from companion.gamekit import discovery
from companion.people import past_games as module
from companion.people.past_games import PastGames, fold, past_games
from tests.ours import GAMES
from tests.people.evenings import PlayedEvening, played
from tests.strangers import gops_installed
from tests.verbs.command import Command

TABLE = ("Anna", "Ben", "Cleo")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A finished journal of each game, played once for all tests of this file."""
    folder = tmp_path_factory.mktemp("finished")
    return {game: played(folder / game, game, TABLE, seed).path for seed, game in enumerate(GAMES)}


def put(path: Path, folder: Path, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(path, folder / f"{name}.journal"))


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_game_has_scores_ranks_winners_and_times(finished: dict[str, Path], game: str) -> None:
    (past,) = fold(finished[game])
    assert (past.game, past.finished, past.first, past.evening) == (game, True, 0, "2026-11-16-1")
    best = max(seat.score for seat in past.seats)
    assert {seat.rank for seat in past.seats if seat.won} == {1}
    assert all(seat.score == best for seat in past.seats if seat.won)
    assert past.seconds == past.ended_at - past.begun_at > 0
    assert sum(seat.thought_s for seat in past.seats) > 0


@pytest.mark.parametrize("game", GAMES)
def test_each_game_declares_lines_that_its_rulings_and_points_fill(finished: dict[str, Path], game: str) -> None:
    tallies = discovery.find(game).tallies
    assert len(tallies) >= 4
    for tally in tallies:
        assert tally.rulings or tally.parts, f"nothing can count for {tally.label!r}"
        assert {*tally.rulings} <= discovery.find(game).sentences.keys()
    found = {label for seat in fold(finished[game])[0].seats for label in seat.tallies}
    assert found <= {tally.label for tally in tallies}
    assert len(found) >= 3


def test_the_points_of_a_tally_are_those_of_the_score(finished: dict[str, Path]) -> None:
    for seat in fold(finished["lascaux"])[0].seats:
        assert seat.tallies.get("Points for stones", 0) + seat.tallies.get("Points for animals", 0) == seat.score


def test_a_pause_and_a_long_absence_do_not_count_as_playing(folder: Path) -> None:
    evening = PlayedEvening(folder, "lascaux", TABLE).play(3)
    evening.pause(600.0)
    evening.play(2).close()
    (past,) = fold(evening.path)
    assert past.seconds == 60.0  # three actions, the pause's beginning, two actions
    assert past.ended_at - past.begun_at == 660.0


def test_what_was_undone_leaves_no_trace(folder: Path) -> None:
    evening = PlayedEvening(folder, "lascaux", TABLE).play(12)
    once = fold(evening.path)
    evening.act()
    evening.undo()
    (past,) = fold(evening.path)
    assert past.ended_at == once[0].ended_at
    assert past.seconds == once[0].seconds
    evening.close()


def test_every_game_of_an_evening_is_there_also_an_unfinished_one(folder: Path, finished: dict[str, Path]) -> None:
    evening = PlayedEvening(folder, "sioux", TABLE, 1).play()
    evening.begin("lascaux", ("Ben", "Anna", "Cleo"), first=2)
    evening.play(4).close()
    sioux, lascaux = fold(evening.path)
    assert (sioux.game, sioux.number, sioux.finished) == ("sioux", 1, True)
    assert (lascaux.game, lascaux.number, lascaux.finished, lascaux.first) == ("lascaux", 2, False, 2)
    assert all(seat.tallies == {} and not seat.won for seat in lascaux.seats)


# --- The cache ------------------------------------------------------------------------------------------------


def refolded(folder: Path) -> PastGames:
    return past_games(folder)


def test_only_journals_that_changed_are_folded_again(
    folder: Path, home: Path, finished: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, game in enumerate(GAMES, 1):
        put(finished[game], folder, f"2026-11-16-{number}")
    cache = home / "past-games.json"
    first = past_games(folder, cache)
    folded = []
    monkeypatch.setattr(module, "fold", lambda path: folded.append(path.name) or fold(path))
    assert past_games(folder, cache) == first
    assert folded == []
    put(finished["sioux"], folder, "2026-11-16-1")
    assert past_games(folder, cache) == refolded(folder)
    assert folded[0] == "2026-11-16-1.journal"


@pytest.mark.parametrize("content", [b"", b"{}", b"no json", b'{"versions":{},"journals":{"x":{"stamp":"y"}}}'])
def test_a_damaged_cache_is_made_again(folder: Path, home: Path, finished: dict[str, Path], content: bytes) -> None:
    put(finished["lascaux"], folder, "2026-11-16-1")
    cache = home / "past-games.json"
    cache.write_bytes(content)
    assert past_games(folder, cache) == refolded(folder)
    assert cache.read_bytes() != content


def test_a_cache_of_another_version_is_made_again(
    folder: Path, home: Path, finished: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(finished["lascaux"], folder, "2026-11-16-1")
    cache = home / "past-games.json"
    past_games(folder, cache)
    old = cache.read_bytes()
    monkeypatch.setattr(module, "__version__", "99.0")
    past_games(folder, cache)
    assert cache.read_bytes() != old


@pytest.mark.parametrize("seed", range(4))
def test_after_any_undo_correction_or_removal_the_cache_says_what_a_full_refold_says(
    folder: Path, home: Path, finished: dict[str, Path], seed: int
) -> None:
    chance, cache = random.Random(seed), home / "past-games.json"
    put(finished["sioux"], folder, "2026-11-15-1")
    put(finished["darwinci"], folder, "2026-11-15-2")
    evening = PlayedEvening(folder, "lascaux", TABLE, seed)
    for _ in range(25):
        match chance.choice(("act", "act", "act", "undo", "correct", "finish", "remove", "back")):
            case "act":
                evening.act()
            case "undo" if evening.evening.to_undo:
                evening.undo()
            case "correct" if chance.random() < 0.3:
                evening.correct()
            case "finish" if chance.random() < 0.1:
                evening.play()
            case "remove":
                (folder / "2026-11-15-1.journal").unlink(missing_ok=True)
            case "back":
                put(finished["sioux"], folder, "2026-11-15-1")
        assert past_games(folder, cache) == refolded(folder)
    evening.close()
    assert past_games(folder, cache) == refolded(folder)


def test_a_journal_that_cannot_be_read_is_named_and_the_others_count(
    folder: Path, home: Path, finished: dict[str, Path], command: Command
) -> None:
    put(finished["lascaux"], folder, "2026-11-16-1")
    strange = folder / "2026-11-17-1.journal"
    strange.mkdir()
    found = past_games(folder, home / "past-games.json")
    assert [game.game for game in found.games] == ["lascaux"]
    assert found.problems[0].startswith("2026-11-17-1: ")
    said = command("people")
    assert said.status == 0
    assert "Anna" in said.out
    assert said.err.startswith("companion: 2026-11-17-1: ")


def test_evenings_of_a_game_that_is_not_installed_are_named_and_count_again_once_it_is(
    folder: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    (package := tmp_path / "package").mkdir()
    with pytest.MonkeyPatch.context() as patch, gops_installed(package, patch):
        played(folder, "gops", ("Anna", "Ben"))
        played(folder, "gops", ("Anna", "Ben"), seed=2)
        assert "GOPS: 2 games" in command("stats").out
    discovery.found.cache_clear()
    said = command("stats")
    assert said.status == 0
    assert said.err.startswith("companion: 2026-11-16-2 and 1 other evening: ")
    assert said.err.count("companion-gops") == said.err.count("\n") == 1
    with gops_installed(package, monkeypatch):
        assert "GOPS: 2 games" in command("stats").out


@pytest.mark.parametrize("game", GAMES)
def test_rulings_that_were_taken_up_while_folding_are_those_of_the_actions_that_count(
    folder: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    evening = PlayedEvening(folder, game, TABLE)
    for _ in range(6):
        evening.act()
    evening.correct()
    evening.act()
    evening.undo()
    evening.play().close()
    quick = fold(evening.path), fold(played(folder, game, TABLE, 2).path)
    monkeypatch.setattr(module, "_rulings_made", lambda _evening, played: [each.rulings for each in played.played])
    assert quick == (fold(evening.path), fold(folder / "2026-11-16-2.journal"))
