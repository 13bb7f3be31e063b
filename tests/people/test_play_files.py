"""Exports have golden files; a CSV that was exported can be imported, and a bad one gets a clear line."""

import json
import re
from urllib.parse import unquote

import pytest

from companion.errors import UsageError
from companion.people.past_games import PastGame
from companion.people.persons import People
from companion.people.play_files import BG_STATS, COLUMNS, bg_stats_link, csv_text, json_text, read_plays
from tests.people.golden import FOLDER, PAST, PEOPLE, exports


@pytest.mark.parametrize("name", sorted(exports()))
def test_each_export_is_its_golden_file(name: str) -> None:
    assert exports()[name] == (FOLDER / name).read_text(encoding="utf-8")


def test_the_documented_schema_names_every_column() -> None:
    page = (FOLDER.parents[2] / "docs" / "statistics.md").read_text(encoding="utf-8")
    described = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert [name for name in described if name in COLUMNS] == list(COLUMNS)


def test_json_has_the_same_rows_and_the_game_s_own_numbers() -> None:
    data = json.loads(json_text(PAST, PEOPLE))
    assert data["schema"] == 1
    assert [row["play"] for row in data["seats"]] == [game.id for game in PAST for _ in game.seats]
    assert data["seats"][0]["tallies"] == {"Points for stones": 2, "Stones laid": 11}


def without_tallies(games: tuple[PastGame, ...]) -> list[tuple]:
    return [
        (game.id, game.game, game.begun_at, game.ended_at, game.seconds, game.first, game.finished)
        + tuple((seat.score, seat.rank, seat.won, seat.simulated, seat.thought_s) for seat in game.seats)
        for game in games
    ]


def test_what_was_exported_is_imported_as_it_was() -> None:
    again = read_plays(csv_text(PAST, People()), "plays.csv")
    assert without_tallies(again) == without_tallies(PAST)
    assert [seat.name for game in again for seat in game.seats] == [seat.name for game in PAST for seat in game.seats]


def test_a_name_that_a_spreadsheet_would_compute_is_quoted_and_comes_back() -> None:
    text = csv_text(PAST, People())
    assert ",'=1+1," in text
    assert "=1+1" in {seat.name for game in read_plays(text, "x") for seat in game.seats}


def test_a_list_of_plays_needs_five_columns_only() -> None:
    text = "\ufeffperson,score,play,game,began\nAnna,12,a,Lascaux,2024-05-01\nBen,9,a,Lascaux,2024-05-01\n"
    (game,) = read_plays(text, "x")
    assert (game.id, game.game, game.first, game.seconds) == ("a/1", "lascaux", -1, 0.0)
    assert [(seat.rank, seat.won) for seat in game.seats] == [(1, True), (2, False)]


def test_a_spreadsheet_may_write_semicolons_and_capitals() -> None:
    text = "\ufeffPlay; Game ;Began;Person;Score\r\na;Lascaux;2024-05-01;Anna;12\r\na;Lascaux;2024-05-01;Ben;9\r\n"
    (game,) = read_plays(text, "x")
    assert [(seat.name, seat.score) for seat in game.seats] == [("Anna", 12), ("Ben", 9)]


HEAD = "play,game,began,person,score"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the first line has no column play, game, began, person and score"),
        ("play,game,began,person\na,b,2024-01-01,Anna", "no column score"),
        (f"{HEAD}\na,catan,2024-05-01,Anna,many", "line 2: score is 'many', not a whole number"),
        (f"{HEAD}\na,catan,yesterday,Anna,1", "line 2: began is 'yesterday', not a date such as 2026-11-18"),
        (f"{HEAD}\na,catan,2024-05-01,,1", "line 2: a player without a name"),
        (f"{HEAD}\na,catan,2024-05-01,Anna,1\na,catan,2024-05-01,Anna,2", "line 3: Anna sits twice in a"),
        (f"{HEAD}\n,catan,2024-05-01,Anna,1", "line 2: the column play is empty"),
        (f"{HEAD}\na,,2024-05-01,Anna,1", "line 2: the column game is empty"),
        (f"{HEAD}\na,catan", "line 2: score is '', not a whole number"),
        (f"{HEAD.replace(',', ';')}\na;catan", "line 2: score is '', not a whole number"),
        (
            f"{HEAD}\na,catan,2024-05-01,Anna,1\na,lascaux,2024-05-01,Ben,2",
            "line 3: game of a is 'lascaux', and 'catan'",
        ),
        (f"{HEAD}\na,catan,2024-05-01,Anna,1\na,catan,2024-05-02,Ben,2", "line 3: began of a is '2024-05-02'"),
        (f"{HEAD},won\na,catan,2024-05-01,Anna,1,perhaps", "line 2: won is 'perhaps', not yes or no"),
        (f"{HEAD},won\na,catan,2024-05-01,Anna,1,no", "line 2: no player has won a"),
        (f"{HEAD},minutes\na,catan,2024-05-01,Anna,1,-3", "line 2: minutes is '-3', not a number of 0 or more"),
        (f'{HEAD}\na,catan,"2024', "this is no CSV"),
    ],
)
def test_a_list_that_cannot_be_read_gets_a_line_that_says_where(text: str, problem: str) -> None:
    with pytest.raises(UsageError, match=re.escape(problem)):
        read_plays(text, "plays.csv")


# --- BG Stats -------------------------------------------------------------------------------------------------


def test_a_link_for_bg_stats_has_utc_and_a_winner_and_a_start_player_for_each() -> None:
    link = bg_stats_link(PAST[0], PEOPLE)
    assert link.startswith(BG_STATS)
    play = json.loads(unquote(link.removeprefix(BG_STATS)))
    assert play["playDate"] == "2026-11-13 20:40:00"
    assert (play["sourceName"], play["sourcePlayId"]) == ("Companion", "2026-11-13-1/1-1794600000")
    assert [(each["winner"], each["startPlayer"]) for each in play["players"]] == [(True, False), (False, True)]
    assert [(each["name"], each["sourcePlayerId"]) for each in play["players"]] == [("Annette", "Anna"), ("Ben", "Ben")]
    assert not set(link.removeprefix(BG_STATS)) & set(' "&?#<>{}')


# --- The page -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["en", "de"])
def test_the_page_loads_nothing_escapes_names_and_says_its_language(code: str) -> None:
    page = exports()[f"evening.{code}.html"]
    assert f'<html lang="{code}">' in page
    assert "Zoë &lt;b&gt;" in page
    assert "<b>" not in page
    assert re.findall(r"(?:src|srcset)=|@import|url\(|<script|<link", page) == []
    assert set(re.findall(r'href="(https?://[^/]+)', page)) == {"https://app.bgstatsapp.com"}
