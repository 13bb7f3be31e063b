"""Teams win as one, and players who are one team win or lose together: on screens, in words, lists and statistics."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from companion.drawing.event_lines import reasons
from companion.drawing.result_sheet import bars, outcome, sheet
from companion.drawing.table_frame import foot
from companion.gamekit import discovery
from companion.gamekit.ending import outcome_of, partners, share_of, sides, together
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.search import Judgement, rewards_at
from companion.gamekit.snapshot import Result, Snapshot
from companion.language.screen_language import load
from companion.language.wording import say
from companion.people.past_games import PastGame, PastSeat, fold, fold_evening
from companion.people.persons import People
from companion.people.ratings import ratings
from companion.people.recap import courses
from companion.people.result_pages import EveningResults, evening_page
from companion.people.statistics import CountedGame, counted, game_tables, person_tables
from companion.session import match
from companion.session.public_snapshot import seen
from tests.people.evenings import PlayedEvening
from tests.strangers import example_installed
from tests.verbs.command import Command
from tests.verbs.conftest import home

__all__ = ["home"]

FOUR = ("Anna", "Ben", "Cleo", "Dora")


@pytest.fixture(autouse=True)
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "site").mkdir()
    with (
        example_installed("whist", tmp_path / "site", monkeypatch),
        example_installed("sirtommy", tmp_path / "site", monkeypatch),
    ):
        find_face.cache_clear()
        yield
    find_face.cache_clear()


def over(game: str, points: tuple[int, ...], winners: tuple[int, ...], **changes: object) -> Sight:
    """A finished game as a screen shows it; only its result is made up."""
    rules = discovery.find(game)
    evening = PlayedEvening(Path(str(changes.pop("folder"))), game, FOUR).evening
    scores = tuple(
        replace(score, parts=tuple(replace(part, points=points[score.seat]) for part in score.parts))
        for score in rules.scores(evening.state)
    )
    snapshot: Snapshot = replace(
        seen(evening, "tonight", "none", evening.state), awaiting=None, scores=scores, winners=winners, **changes
    )
    return Sight(msgspec.json.decode(msgspec.json.encode(snapshot), type=Snapshot), find_face(game))


# --- Who has won ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("winners", "teams", "told"),
    [
        ((1,), (), "one"),
        ((0, 2), (), "shared"),
        ((0, 2), partners(4), "team"),
        ((0, 1, 2, 3), partners(4), "shared"),
        ((0, 1, 2), together(3), "won together"),
        ((), together(3), "lost together"),
        ((0,), ((0,), (1, 2, 3)), "one"),
    ],
)
def test_a_victory_of_a_team_is_not_a_shared_one(winners, teams, told) -> None:
    assert outcome_of(winners, teams) == told


def test_each_player_of_a_winning_team_has_won_the_whole_game() -> None:
    assert [share_of(seat, (0, 2), partners(4)) for seat in range(4)] == [1, 0, 1, 0]
    assert [share_of(seat, (0, 1, 2, 3), partners(4)) for seat in range(4)] == [0.5] * 4
    assert [share_of(seat, (0, 2), ()) for seat in range(4)] == [0.5, 0, 0.5, 0]


def test_those_who_compete_are_teams_or_single_players() -> None:
    assert sides(partners(4), 4) == ((0, 2), (1, 3))
    assert sides((), 3) == ((0,), (1,), (2,))


# --- On the screen --------------------------------------------------------------------------------------------


def test_partners_win_in_one_sentence_and_have_one_bar_and_one_column(home: Path) -> None:
    sight = over("whist", (0, 0, 0, 0), (0, 2), folder=home / "evenings")
    assert outcome(sight).sentence == "Anna and Cleo win the game"
    drawn = bars(sight, 60).plain
    assert [line.strip(" »").split("  ")[0] for line in drawn.splitlines()[1:]] == ["Anna & Cleo", "Ben & Dora"]
    assert "Anna & Cleo" in sheet(sight, 60).plain.splitlines()[0]
    assert sheet(sight, 36).plain.splitlines()[0].split("  ")[-1].strip() == "Ann & Cle Ben & Dora", (
        "both in part, not one"
    )


@pytest.mark.parametrize(
    ("winners", "sentence"), [((), "You have lost together"), ((0, 1, 2, 3), "You have won together")]
)
def test_players_who_play_together_win_or_lose_and_no_name_is_ahead(home: Path, winners, sentence) -> None:
    sight = over("sirtommy", (30,) * 4, winners, folder=home / "evenings")
    assert outcome(sight).sentence == sentence
    assert len(bars(sight, 60).plain.splitlines()) == 2
    assert not any(name in bars(sight, 60).plain + sheet(sight, 60).plain for name in FOUR)
    assert len(reasons(sight)) == 1


def test_a_match_played_together_counts_the_games_that_were_won(home: Path) -> None:
    earlier = (Result((52,) * 4, (0, 1, 2, 3)), Result((9,) * 4, ()))
    sight = over("sirtommy", (30,) * 4, (), folder=home / "evenings", match=earlier)
    assert outcome(sight).sentence == "You have lost together; match: 1 of 3 games won"
    going = Sight(replace(sight.snapshot, awaiting=seen_awaiting(home)), sight.face)
    assert "game 3, so far: 1 won" in foot(going).plain


def seen_awaiting(home: Path) -> object:
    evening = PlayedEvening(home / "evenings", "sirtommy", FOUR, seed=2).evening
    return seen(evening, "tonight", "none", evening.state).awaiting


# --- In lists and statistics ----------------------------------------------------------------------------------


def test_a_lost_game_is_told_as_lost_together(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evening = PlayedEvening(home / "evenings", "sirtommy", FOUR).play()
    assert evening.evening.played_game.result.winners == ()
    told = match.won(evening.evening)
    assert say(told, {}, FOUR) == "The match is over. You have won 0 of 1 game together"
    evening.close()
    assert "; lost together\n" in Command(capsys)("games").out
    (past,) = fold(evening.path)
    assert past.teams == ((0, 1, 2, 3),)
    page = evening_page(EveningResults((past,), (past,), People()))
    assert "Lost together." in page
    assert "Rank" not in page
    assert "won together: 0 of 1" in Command(capsys)("stats").out


def played(winners: tuple[int, ...], teams: tuple[tuple[int, ...], ...], number: int = 1) -> PastGame:
    ranks = [1 if seat in winners or len(teams) == 1 else 2 for seat in range(4)]
    seats = tuple(PastSeat(name, 5, ranks[seat], seat in winners) for seat, name in enumerate(FOUR))
    return PastGame("tonight", number, "whist", 0.0, float(number), 60.0, 0, seats, teams=teams)


def counting(*games: PastGame) -> list[CountedGame]:
    return counted(games, People())


def test_partners_win_whole_games_and_half_of_them_by_chance() -> None:
    games = counting(played((0, 2), partners(4)), played((1, 3), partners(4), 2))
    anna = next(table for table in person_tables(games) if table.person.name == "Anna")
    assert (anna.games, anna.wins, anna.expected) == (2, 1.0, 1.0)
    assert {each.person.name: (each.better, each.equal, each.worse) for each in anna.versus} == {
        "Ben": (1, 0, 1),
        "Dora": (1, 0, 1),
    }


def test_partners_are_rated_as_a_team() -> None:
    rated = {rating.person.name: rating.mu for rating in ratings(counting(played((0, 2), partners(4)))).table}
    assert rated["Anna"] == rated["Cleo"] > rated["Ben"] == rated["Dora"]
    (first, *_) = ratings(counting(played((0, 2), partners(4)))).changes
    assert first.reason.startswith("1st of 2, chance to win 50 %")


def test_a_game_of_one_team_is_played_but_ranks_nobody() -> None:
    games = counting(played((), together(4)), played((0, 1, 2, 3), together(4), 2))
    assert ratings(games).table == ()
    for table in person_tables(games):
        assert (table.games, table.wins, table.expected, table.versus, table.streak) == (2, 0, 0, (), 0)
    (whole,) = game_tables(games)
    assert whole.won_together == 1
    assert [record.what for record in whole.records] == ["highest score", "longest game", "shortest game"]


# --- Players who search ---------------------------------------------------------------------------------------


def test_a_search_player_wants_its_team_to_win() -> None:
    game = discovery.find("whist")

    class Ahead(Judgement):  # type: ignore[type-arg]
        def totals(self, state: object) -> list[float]:
            return [4.0, 1.0, 4.0, 1.0]

    anna, ben, cleo, dora = rewards_at(Ahead(game), None, False, 0.5)
    assert anna == cleo > ben == dora


def test_players_who_are_one_team_want_more_than_usual() -> None:
    game = discovery.find("sirtommy")

    class Many(Judgement):  # type: ignore[type-arg]
        def totals(self, state: object) -> list[float]:
            return [40.0] * 4

    better, worse = rewards_at(Many(game), None, False, 0.5, 30.0), rewards_at(Many(game), None, False, 0.5, 50.0)
    assert len({*better}) == 1 == len({*worse})
    assert better[0] > worse[0]


def test_a_recap_names_a_team_so_that_its_verb_fits_in_german_too(home: Path) -> None:
    told: dict[str, set[str]] = {"en": set(), "de": set()}
    for seed in range(1, 13):
        evening = PlayedEvening(home / "evenings", "whist", FOUR, seed).play().close()
        folded = fold_evening(evening.path)
        results = EveningResults(folded.games, folded.games, People(), courses(folded))
        for code, lines in told.items():
            lines |= {line for line in results.recap(results.games[0], load(code)) if "Team " in line}
    assert any("Team Anna & Cleo" in line or "Team Ben & Dora" in line for line in told["en"])
    assert any(line.startswith("Team ") and " lag " in line for line in told["de"])
