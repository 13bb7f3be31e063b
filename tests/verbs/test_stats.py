"""`companion stats`, and `companion export` with its other formats, as a user types them."""

import json
import shutil
from pathlib import Path

import pytest

from tests.people.evenings import PlayedEvening, played
from tests.verbs.command import Command

TABLE = ("Anna", "Ben", "Cleo")


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture(scope="module")
def journals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evenings")
    for seed in range(3):
        played(folder, "sioux", TABLE, seed)
    return folder


@pytest.fixture
def evenings(home: Path, journals: Path) -> Path:
    return Path(shutil.copytree(journals, home / "evenings"))


def test_without_evenings_there_is_nothing_to_count(command: Command, home: Path) -> None:
    assert command("stats") == (0, "No finished game yet.\n", "")
    assert not home.exists()


def test_all_people_are_listed_with_wins_chance_and_rating(command: Command, evenings: Path) -> None:
    said = command("stats")
    assert (said.status, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0].startswith("3 games by 3 people, 2026-11-1")
    assert lines[0].endswith("; H-index 1")
    won = {line.split()[0]: line.split()[1:4] for line in lines[3:6]}
    assert set(won) == set(TABLE)
    assert {(games, chance) for games, _, chance in won.values()} == {("3", "1.0")}
    assert sum(float(wins) for _, wins, _ in won.values()) == 3.0
    assert any(line.startswith("  Swaps suffered ") for line in lines)
    assert any(line.startswith("  highest score ") for line in lines)


def test_one_person_sees_opponents_games_and_reasons(command: Command, evenings: Path) -> None:
    out = command("stats", "anna").out
    assert out.startswith("Anna: 3 games, ")
    assert "against\n  Ben  " in out
    assert out.count(", chance to win ") == 3
    assert command("stats", "Zoe").err == (
        "companion: Zoe has played no game that counts here; there are Anna, Ben and Cleo\n"
    )


@pytest.mark.parametrize("columns", [66, 100, 160])
def test_every_chart_fits_the_terminal(
    command: Command, evenings: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for words in ([], ["Anna"], ["Anna", "--game", "sioux"]):
        out = command("stats", *words).out
        assert "│" in out
        assert max(map(len, out.splitlines())) <= columns


def test_a_person_is_compared_in_the_game_s_own_lines_and_found_by_their_exact_name_first(
    command: Command, evenings: Path
) -> None:
    assert "\non average\n" in command("stats", "Anna", "--game", "sioux").out
    played(evenings, "sioux", ("anna", "Ben", "Cleo"), 9)
    assert command("stats", "anna").out.startswith("anna: 1 game, ")
    assert command("stats", "Anna").out.startswith("Anna: 3 games, ")


def test_games_are_selected_by_name_and_day(command: Command, evenings: Path) -> None:
    assert command("stats", "--game", "Sioux").out.startswith("3 games")
    assert command("stats", "--until", "2020-01-01").out == "No game was finished in this period.\n"
    assert command("stats", "--game", "chess").err == "companion: no game of chess was played here, only of sioux\n"
    assert command("stats", "--game", "siuox").err.endswith("only of sioux; did you mean sioux?\n")
    assert command("stats", "--since", "tomorrow").status == 2


def test_simulated_players_count_only_if_asked(command: Command, home: Path) -> None:
    played(home / "evenings", "sioux", TABLE, 1, simulated=(1, 2))
    assert "`--simulated` counts them, too." in command("stats").out
    assert "Ben (simulated)" in command("stats", "--simulated").out


def test_a_warm_answer_is_the_cold_one_and_a_correction_shows_at_once(command: Command, evenings: Path) -> None:
    cold = command("stats").out
    assert (evenings.parent / "past-games.json").exists()
    assert command("stats").out == cold
    command("games", "--remove", "2026-11-16-2", "--yes")
    assert command("stats").out.startswith("2 games")


# --- Importing ------------------------------------------------------------------------------------------------

PLAYS = (
    "play,game,began,person,score\n"
    "a,Catan,2024-05-01,Anna,10\na,Catan,2024-05-01,Dora,8\nb,Catan,2024-05-02,Anna,7\nb,Catan,2024-05-02,Dora,10\n"
)


def test_earlier_plays_are_imported_once_and_count(command: Command, evenings: Path, tmp_path: Path) -> None:
    (tmp_path / "plays.csv").write_text(PLAYS)
    assert command("stats", "--import", str(tmp_path / "plays.csv")).out == "Imported 2 plays.\n"
    again = command("stats", "--import", str(tmp_path / "plays.csv")).out
    assert again == "Imported 0 plays; 2 were known already.\n"
    assert command("stats").out.startswith("5 games by 4 people, 2024-05-01 to ")
    assert "in 0 evenings" not in command("people", "--forget", "Dora", "--yes").out
    assert "Dora" not in (evenings.parent / "earlier-plays.json").read_text()


def test_another_play_under_a_known_name_is_refused_and_nothing_is_lost(command: Command, tmp_path: Path) -> None:
    """Two lists may both number their plays from 1."""
    (tmp_path / "plays.csv").write_text(PLAYS)
    (tmp_path / "others.csv").write_text(PLAYS.replace("b,Catan", "b,Go"))
    command("stats", "--import", str(tmp_path / "plays.csv"))
    said = command("stats", "--import", str(tmp_path / "others.csv"))
    assert said.status != 0
    assert "another play is called b here already (Catan, 2024-05-02)" in said.err
    one_more = PLAYS.partition("\nb,")[0] + "\n"
    (tmp_path / "one.csv").write_text(one_more)
    said = command("stats", "--import", str(tmp_path / "one.csv"))
    assert said.out == "Imported 0 plays; 1 was known already.\n"


def test_one_s_own_export_is_known_already(command: Command, evenings: Path, tmp_path: Path) -> None:
    command("export", "--format", "csv", "-o", str(tmp_path / "own.csv"))
    said = command("stats", "--import", str(tmp_path / "own.csv"))
    assert said.out == "Imported 0 plays; 3 were known already.\n"


@pytest.mark.parametrize("content", [b"play,game\n", b"\xff\xfe", b"play,game,began,person,score\na,b,c,d,e\n"])
def test_a_bad_list_of_plays_is_refused_and_what_was_there_stays(
    command: Command, home: Path, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "plays.csv").write_text(PLAYS)
    command("stats", "--import", str(tmp_path / "plays.csv"))
    before = (home / "earlier-plays.json").read_bytes()
    (tmp_path / "bad.csv").write_bytes(content)
    said = command("stats", "--import", str(tmp_path / "bad.csv"))
    assert (said.status, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert command("stats", "--import", str(tmp_path / "none.csv")).status == 2
    assert (home / "earlier-plays.json").read_bytes() == before


# --- Exporting ------------------------------------------------------------------------------------------------


def test_results_of_all_evenings_or_of_one_are_exported(command: Command, evenings: Path) -> None:
    assert len(command("export", "--format", "csv").out.splitlines()) == 1 + 3 * 3
    assert len(command("export", "2026-11-16-2", "--format", "csv").out.splitlines()) == 1 + 3
    seats = json.loads(command("export", "2026-11-16-2", "--format", "json").out)["seats"]
    assert {row["play"] for row in seats} == {"2026-11-16-2/1"}


def test_a_page_and_a_link_are_of_one_evening(command: Command, evenings: Path, tmp_path: Path) -> None:
    page = tmp_path / "evening.html"
    said = command("export", "--format", "html", "--language", "de", "-o", str(page))
    assert (said.status, said.out) == (0, f"Written: {page}\n")
    assert '<html lang="de">' in page.read_text()
    assert command("export", "--format", "html", "-o", str(page)).status == 2
    assert command("export", "--format", "html", "-o", str(page), "--force").status == 0
    link = command("export", "--format", "bgstats").out
    assert link.count("https://app.bgstatsapp.com/createPlay.html?data=") == 1


def test_an_unfinished_game_has_no_link_and_a_page_without_scores(command: Command, home: Path) -> None:
    PlayedEvening(home / "evenings", "lascaux", TABLE).play(9).close()
    assert "BG Stats takes finished games" in command("export", "--format", "bgstats").err
    assert "This game was not finished." in command("export", "--format", "html").out


def test_a_journal_that_cannot_be_read_is_left_out_and_named(command: Command, evenings: Path) -> None:
    (evenings / "2026-11-20-1.journal").mkdir()
    said = command("export", "--format", "csv")
    assert len(said.out.splitlines()) == 10
    assert said.err.startswith("companion: 2026-11-20-1: ")
    assert said.err.endswith("; it is left out\n")
