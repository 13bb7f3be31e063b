"""`companion games` and `companion export`: what was played, also of what a power cut left behind."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.language.wording import listed
from companion.messages.intentions import EndMatch
from companion.processes.screen_process import TableLobby
from companion.processes.simulation_settings import SimulationSettings
from tests.referee.table import Table, telltale_box
from tests.verbs.command import Command, Said


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture
def archive(home: Path) -> Iterator["Archive"]:
    archive = Archive(home)
    yield archive
    archive.close()


class Archive:
    """Evenings that were played, begun or spoilt."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "evenings"
        self._tables: list[Table] = []

    def table(self, **begun: Any) -> Table:
        table = Table(self.folder, **begun).hurry()
        self._tables.append(table)
        return table

    def finished(self, **begun: Any) -> Table:
        table = self.table(**begun).play_to_end()
        table.journal.close()
        return table

    def finished_open(self) -> Table:
        """The people are still at the table."""
        return self.table().play_to_end()

    def damaged(self) -> Path:
        """A sound beginning, then a page of rubbish."""
        table = self.finished()
        data = bytearray(table.journal.path.read_bytes())
        data[-2000:] = b"\xaa" * 2000
        table.journal.path.write_bytes(bytes(data))
        return table.journal.path

    def torn(self, name: str = "2026-11-20-1") -> Path:
        """As a power cut leaves a file that was just made."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{name}.journal"
        path.touch()
        return path

    def close(self) -> None:
        for table in self._tables:
            table.journal.close()


# --- companion games ------------------------------------------------------------------------------------------


def test_an_empty_shelf_says_how_to_begin(command: Command, home: Path) -> None:
    assert command("games") == (0, "No evening has been played yet. `companion play` starts one.\n", "")
    assert not home.exists()


def test_evenings_are_listed_newest_first_with_how_they_stand(command: Command, archive: Archive) -> None:
    finished = archive.finished(players=4)
    running = archive.table()
    running.card("aurochs-brown-blue")
    said = command("games")
    assert said.status == 0
    newest, oldest = said.out.splitlines()
    assert newest.startswith("2026-11-16-2  ")
    assert newest.endswith("lascaux: Anna, Ben and Cleo, 1 action so far")
    totals = finished.evening.played_game.result.totals
    listed = ", ".join(f"{name} {total}" for name, total in zip(("Anna", "Ben", "Cleo", "Dora"), totals, strict=True))
    assert oldest.startswith("2026-11-16-1  ")
    assert f"lascaux: {listed}; won by " in oldest


def test_the_games_of_a_match_are_counted(command: Command, archive: Archive) -> None:
    table = archive.table().play_to_end()
    table.next_game()
    assert "lascaux (game 2 of a match): Anna, Ben and Cleo, 0 actions so far" in command("games").out


def test_L21_earlier_games_stay_visible_with_the_sums_and_who_leads_or_has_won(
    command: Command, archive: Archive
) -> None:
    table = archive.finished_open()
    first = [score.total for score in table.seen.scores]
    table.next_game()
    names = ("Anna", "Ben", "Cleo")
    shown = ", ".join(f"{name} {total}" for name, total in zip(names, first, strict=True))
    out = command("games").out
    assert f"\n    game 1: {shown}; won by " in out
    assert f"\n    match: {shown}; led by " in out
    table.play_to_end(2)
    sums = [one + score.total for one, score in zip(first, table.seen.scores, strict=True)]
    best = [name for name, total in zip(names, sums, strict=True) if total == max(sums)]
    shown = ", ".join(f"{name} {total}" for name, total in zip(names, sums, strict=True))
    assert f"\n    match: {shown}; led by {listed(best)}\n" in command("games").out
    assert not TableLobby(SimulationSettings()).evenings()[0].ended
    table.heed(EndMatch("end"))
    assert f"\n    match: {shown}; it has ended, won by {listed(best)}\n" in command("games").out
    past = TableLobby(SimulationSettings()).evenings()[0]
    assert (past.sums, past.ended) == (tuple(sums), True)
    assert [game.totals for game in past.earlier] == [tuple(first)]


def test_a_damaged_archive_is_listed_with_what_is_wrong(command: Command, archive: Archive) -> None:
    archive.finished()
    torn = archive.torn()
    (archive.folder / "holiday.txt").write_text("not ours")
    (archive.folder / "2026-11-19-1.journal").write_bytes(b"no journal at all")
    (archive.folder / "2026-11-18-1.journal.set-aside").write_bytes(b"")
    said = command("games")
    assert (said.status, said.err) == (0, "")
    lines = said.out.splitlines()
    assert [line.split()[0] for line in lines] == [
        "2026-11-20-1",
        "2026-11-19-1",
        "2026-11-18-1.journal.set-aside",
        "2026-11-16-1",
    ]
    assert lines[0] == "2026-11-20-1  this journal is empty, as a power cut leaves it"
    assert all(len(line.split()) > 3 for line in lines)
    assert torn.exists(), "listing changes nothing"


def test_hostile_names_are_harmless_in_the_list(
    command: Command, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.referee.table.NAMES", ("\x1b[31mAnna", "Ben", "C" * 500))
    archive.table()
    out = command("games").out
    assert "\x1b" not in out
    assert "C" * 17 not in out


def test_a_shelf_that_must_not_be_read_is_told(command: Command, home: Path) -> None:
    home.mkdir()
    (home / "evenings").symlink_to(home / "evenings")
    assert command("games").status in (0, 2)


# --- companion export -----------------------------------------------------------------------------------------


def lines_of(said: Said) -> list[dict[str, Any]]:
    return [json.loads(line) for line in said.out.splitlines()]


def test_a_finished_game_is_exported_whole_and_adjudicated_to_the_same_end(
    command: Command, archive: Archive, tmp_path: Path
) -> None:
    table = archive.finished()
    said = command("export")
    assert (said.status, said.err) == (0, "")
    header, *actions = lines_of(said)
    assert header["players"] == ["Anna", "Ben", "Cleo"]
    assert len(actions) == len(table.evening.played_game.played)
    (tmp_path / "game.jsonl").write_text(said.out)
    verdict = json.loads(command("adjudicate", "--json", str(tmp_path / "game.jsonl")).out)
    assert (verdict["finished"], verdict["refusals"]) == (True, [])
    assert tuple(score["total"] for score in verdict["scores"]) == table.evening.played_game.result.totals


def test_L6_the_export_of_a_running_game_ends_before_the_first_hidden_action(
    command: Command, archive: Archive
) -> None:
    table = archive.table(box=telltale_box())
    while table.seen.table.phase == "draw":
        table.act("draw", card=table.seen.offered[0].card)
    table.act("choose", seat=1, colour="zzpink")
    table.act("choose", seat=0, colour="zzblue")
    said = command("export", "-o", str(archive.folder / "running.jsonl"))
    assert said.status == 0
    assert "the newest 2 actions are left out" in said.err
    text = (archive.folder / "running.jsonl").read_text()
    assert "zz" not in text
    assert [json.loads(line).get("do", "header") for line in text.splitlines()] == [
        "header",
        *["draw"] * len(table.evening.state.row),
    ]


def test_an_export_is_told_where_it_lies_and_its_box_lies_beside_it(
    command: Command, archive: Archive, tmp_path: Path
) -> None:
    archive.finished(box=telltale_box())
    target = tmp_path / "out" / "game.jsonl"
    target.parent.mkdir()
    said = command("export", "-o", str(target))
    assert said == (0, f"Written: {target} and its box {target.parent}/game.box.toml\n", "")
    assert json.loads(target.read_text().splitlines()[0])["box"] == "game.box.toml"
    assert command("adjudicate", str(target)).status == 0


def test_nothing_is_overwritten_unless_it_is_forced(command: Command, archive: Archive, tmp_path: Path) -> None:
    archive.finished()
    target = tmp_path / "game.jsonl"
    target.write_text("a diary")
    said = command("export", "-o", str(target))
    assert said == (2, "", f"companion: {target}: there is such a file already; --force overwrites it\n")
    assert target.read_text() == "a diary"
    assert command("export", "-o", str(target), "--force").status == 0
    assert target.read_text().startswith('{"game":"lascaux"')


@pytest.mark.parametrize("name", ["nowhere/game.jsonl", "x" * 300, "a\0b"])
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_file_that_cannot_be_written_is_told(
    command: Command, archive: Archive, tmp_path: Path, name: str, force: list[str]
) -> None:
    archive.finished()
    said = command("export", "-o", str(tmp_path / name), *force)
    assert (said.status, said.out) == (2, "")
    assert "cannot write the transcript: " in said.err
    assert "Traceback" not in said.err


def test_a_folder_is_no_file(command: Command, archive: Archive, tmp_path: Path) -> None:
    archive.finished()
    said = command("export", "-o", str(tmp_path))
    assert (said.status, said.err) == (2, f"companion: {tmp_path} is a folder: name a file in it\n")


def test_another_box_than_ones_own_needs_a_file_to_lie_beside(command: Command, archive: Archive) -> None:
    archive.finished(box=telltale_box())
    said = command("export")
    assert (said.status, said.out) == (2, "")
    assert said.err == (
        "companion: this game was played with another box than yours now: name a file with -o, its box goes beside it\n"
    )


@pytest.mark.parametrize("output", [[], ["-o", "never.jsonl"]])
@pytest.mark.parametrize("number", ["3", "9"])
def test_a_game_that_was_not_played_is_told_alike_with_and_without_a_file(
    command: Command, archive: Archive, output: list[str], number: str
) -> None:
    table = archive.table().play_to_end()
    table.next_game()
    said = command("export", "--game", number, *output)
    assert said == (2, "", f"companion: there is no game {number} in this evening; it has 2\n")


def test_every_game_of_a_match_has_its_own_transcript(command: Command, archive: Archive) -> None:
    table = archive.table().play_to_end()
    table.next_game()
    table.play_to_end(2)
    headers = [lines_of(command("export", "--game", number))[0] for number in "12"]
    assert [(header["first"], header["options"].get("direction")) for header in headers] == [
        (0, None),
        (1, "anticlockwise"),
    ]
    assert lines_of(command("export"))[0] == headers[1]


def test_an_evening_is_exported_by_its_id_or_its_path(command: Command, archive: Archive, tmp_path: Path) -> None:
    older, newer = archive.finished(), archive.finished(players=4)
    by_id = command("export", older.journal.id)
    elsewhere = tmp_path / "kept.journal"
    older.journal.path.rename(elsewhere)
    by_path = command("export", str(elsewhere))
    assert by_id == by_path
    assert lines_of(by_id)[0]["players"] == ["Anna", "Ben", "Cleo"]
    assert lines_of(command("export", newer.journal.id))[0]["players"] == ["Anna", "Ben", "Cleo", "Dora"]


def test_an_evening_that_was_set_aside_is_exported_as_far_as_it_is_sound(command: Command, archive: Archive) -> None:
    path = archive.damaged()
    aside = path.with_name(path.name + ".set-aside")
    path.rename(aside)
    for name in (aside.name, str(aside)):
        said = command("export", name)
        assert said.status == 0
        assert said.err.startswith("companion: this journal is damaged: ")
        assert "; this is what can still be read\n" in said.err
        assert lines_of(said)[0]["game"] == "lascaux"


def test_when_none_is_named_the_newest_sound_evening_is_exported(command: Command, archive: Archive) -> None:
    sound = archive.finished(players=4)
    path = archive.damaged()
    path.rename(path.with_name(path.name + ".set-aside"))
    archive.damaged()
    archive.torn()
    said = command("export")
    assert (said.status, said.err) == (0, "")
    assert len(lines_of(said)) == len(sound.evening.played_game.played) + 1


def test_when_all_are_damaged_it_says_how_to_get_what_is_left(command: Command, archive: Archive) -> None:
    archive.damaged()
    archive.torn()
    said = command("export")
    assert (said.status, said.out) == (2, "")
    assert said.err == (
        "companion: every evening is damaged; name one from `companion games` to export what is left of it\n"
    )


def test_an_evening_of_which_nothing_is_left_is_told(command: Command, archive: Archive) -> None:
    torn = archive.torn()
    said = command("export", torn.stem)
    assert (said.status, said.out) == (2, "")
    assert said.err == "companion: this journal is empty, as a power cut leaves it; nothing of it can be exported\n"


def test_a_running_evening_can_be_exported_while_it_is_played(command: Command, archive: Archive) -> None:
    table = archive.table().to_reveal()
    before = command("export")
    assert table.act("draw", card=next(iter(table.evening.state.deck))).kind in ("accepted", "refused")
    assert len(before.out.splitlines()) == 1 + 3 + 3 + 2


# --- Removing -------------------------------------------------------------------------------------------------


def test_games_removes_an_evening_only_for_a_user_who_is_sure(command: Command, archive: Archive, home: Path) -> None:
    table = archive.finished()
    refused = command("games", "--remove", table.journal.id)
    assert refused.status == 2
    assert "--yes" in refused.err
    removed = command("games", "--remove", table.journal.id, "--yes")
    assert (removed.status, removed.err) == (0, "")
    assert str(home / "removed" / table.journal.path.name) in removed.out
    assert "No evening has been played yet" in command("games").out
    unknown = command("games", "--remove", table.journal.id, "--yes")
    assert (unknown.status, unknown.out) == (2, "")


def test_an_evening_without_an_action_is_not_listed(command: Command, archive: Archive) -> None:
    table = archive.table()
    table.journal.close()
    assert "No evening has been played yet" in command("games").out
