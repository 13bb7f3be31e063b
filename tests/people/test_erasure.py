"""A person is forgotten: no journal has the name any more, and every evening is as sound as before."""

import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.errors import JournalError
from companion.journal import store
from companion.journal.evening_folder import recall, resume, verify
from companion.journal.soundness import inspect
from companion.people import erasure, persons
from companion.people.past_games import past_games
from companion.people.persons import change_people, load_people
from tests.people.evenings import PlayedEvening
from tests.simulation.test_search_players import Evenings
from tests.verbs.command import Command
from tests.verbs.terminal import Terminal

TABLE = ("Anna", "Ben", "Cleo")


def names(path: Path) -> list[tuple[str, ...]]:
    return [played.header.players for played in recall(path).evening.played_games]


def bytes_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_the_name_is_replaced_in_every_game_of_every_evening(command: Command, home: Path, folder: Path) -> None:
    first = PlayedEvening(folder, "lascaux", TABLE).play(30)
    first.begin("sioux", ("Ben", "Cleo", "Anna"))
    first.play(10).close()
    second = PlayedEvening(folder, "lascaux", ("Zoe", "Anna", "Ben")).play(5).close()
    before = inspect(first.path)
    command("people")  # makes the cache
    said = command("people", "--forget", "Anna", "--yes")
    assert (said.status, said.out) == (0, "Replaced by Guest 1 in 2 evenings.\n")
    assert names(first.path) == [("Guest 1", "Ben", "Cleo"), ("Ben", "Cleo", "Guest 1")]
    assert names(second.path) == [("Zoe", "Guest 1", "Ben")]
    after = inspect(first.path)
    assert (after.problem, after.identity, after.at_rest) == ("", before.identity, True)
    assert [(entry.number, entry.at, entry.kind, entry.cause) for entry in after.entries] == [
        (entry.number, entry.at, entry.kind, entry.cause) for entry in before.entries
    ]
    assert b"Anna" not in bytes_in(home)


def test_ctrl_d_is_no_answer_to_the_question_and_forgets_nobody(home: Path, folder: Path) -> None:
    evening = PlayedEvening(folder, "lascaux", TABLE).play(5).close()
    terminal = Terminal("people", "--forget", "Anna")
    terminal.until_painted(r"Forget Anna\? \[y/N\]")
    terminal.press("\x04")
    terminal.until_painted("Nothing has changed")
    terminal.until(lambda: terminal.process.poll() is not None, "the end")
    assert terminal.process.returncode == 0
    assert "Anna" in names(evening.path)[0]


def test_an_evening_goes_on_after_a_player_was_forgotten(command: Command, folder: Path) -> None:
    evening = PlayedEvening(folder, "lascaux", TABLE).play(20).close()
    assert command("people", "--forget", "Ben", "--yes").status == 0
    journal, resumed = resume(evening.path)
    with journal:
        assert resumed.state == evening.evening.state
        journal.append("clock", b'{"runs":true}', "", "", evening.now + 5)
    assert inspect(evening.path).problem == ""


def test_secret_choices_of_bots_can_still_be_verified(command: Command, folder: Path) -> None:
    """They are committed together with everything that was entered before them."""
    evening = Evenings(folder, "sioux", ("Anna", "Ben", "Cleo"))
    evening.play(150).close()
    (path,) = folder.glob("*.journal")
    before = verify(path)
    assert before.opened > 5
    assert before.problems == ()
    for name in ("Anna", "Ben"):
        assert command("people", "--forget", name, "--yes").status == 0
    assert verify(path) == before
    assert names(path) == [("Guest 1", "Guest 2", "Cleo")]


def test_of_two_annas_only_one_is_forgotten(command: Command, folder: Path) -> None:
    first = PlayedEvening(folder, "lascaux", TABLE).play(1).close()
    second = PlayedEvening(folder, "lascaux", TABLE).play(1).close()
    command("people", "--add", "Anna B.")
    command("people", "--merge", "Anna@2026-11-16-2", "Anna B.")
    assert command("people", "--forget", "Anna B.", "--yes").status == 0
    assert names(first.path) == [TABLE]
    assert names(second.path) == [("Guest 1", "Ben", "Cleo")]


def test_a_person_is_forgotten_under_all_names_and_leaves_the_list(command: Command, home: Path, folder: Path) -> None:
    PlayedEvening(folder, "lascaux", TABLE).play(1).close()
    PlayedEvening(folder, "lascaux", ("Ann", "Ben", "Cleo")).play(1).close()
    command("people", "--merge", "Ann", "Anna")
    assert "in 2 evenings" in command("people", "--forget", "Ann", "--yes").out
    assert b"Ann" not in bytes_in(home)
    assert load_people(home / "people.toml").person == ()


def test_removed_evenings_are_changed_too(command: Command, home: Path, folder: Path) -> None:
    PlayedEvening(folder, "lascaux", TABLE).play(2).close()
    command("games", "--remove", "2026-11-16-1", "--yes")
    assert command("people", "--forget", "Anna", "--yes").status == 0
    assert names(home / "removed" / "2026-11-16-1.journal") == [("Guest 1", "Ben", "Cleo")]


def test_an_evening_that_is_being_played_waits_and_is_changed_later(command: Command, home: Path, folder: Path) -> None:
    running = PlayedEvening(folder, "lascaux", TABLE).play(2)
    said = command("people", "--forget", "Anna", "--yes")
    assert said.status == 1
    assert "2026-11-16-1 is being played. Run `companion people` when it is over." in said.out
    assert names(running.path) == [TABLE]
    running.close()
    assert "Replaced by Guest 1 in 1 evening." in command("people").out
    assert b"Anna" not in bytes_in(home)


def test_a_damaged_evening_and_a_saved_result_are_reported(command: Command, folder: Path) -> None:
    evening = PlayedEvening(folder, "lascaux", TABLE).play(40).close()
    (folder / "2026-11-16-1-result.txt").write_text("Anna has won")
    broken = PlayedEvening(folder, "lascaux", TABLE).play(40).close()
    data = bytearray(broken.path.read_bytes())
    data[-2000:] = b"\xaa" * 2000
    broken.path.write_bytes(bytes(data))
    said = command("people", "--forget", "Anna", "--yes")
    assert said.status == 1
    assert "2026-11-16-1-result.txt" in said.out
    assert "2026-11-16-2 is damaged and was not changed" in said.out
    assert broken.path.read_bytes() == bytes(data)
    assert names(evening.path)[0][0] == "Guest 1"


def test_a_disk_that_fails_leaves_the_evening_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = PlayedEvening(folder, "lascaux", TABLE).play(5).close()
    before = inspect(evening.path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store, "move", full)
    with pytest.raises(JournalError, match="No space left"):
        store.rewrite(evening.path, lambda entry: msgspec.structs.replace(entry, how="other"))
    assert inspect(evening.path) == before
    assert [path.name for path in folder.iterdir()] == [evening.path.name]


# --- Killed at any moment -------------------------------------------------------------------------------------


def _killed_at(step: int, work: Callable[[], Any]) -> bool:
    """Run it in a process that dies before or after so many of its writes. Whether it died."""

    def counting(function: Callable[..., Any], counter: list[int]) -> Callable[..., Any]:
        def call(*words: Any, **named: Any) -> Any:
            for moment in ("before", "after"):
                if counter[0] == step:
                    os._exit(9)
                counter[0] += 1
                if moment == "before":
                    done = function(*words, **named)
            return done

        return call

    def run() -> None:
        counter = [0]
        for module, name in ((store, "move"), (store, "_build"), (persons, "store"), (erasure, "_rename_earlier")):
            setattr(module, name, counting(getattr(module, name), counter))
        work()

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    process.join()
    return process.exitcode == 9


def test_killed_at_any_step_it_is_finished_by_the_next_call(command: Command, home: Path, folder: Path) -> None:
    evenings = [PlayedEvening(folder, "lascaux", TABLE, seed).play(3).close() for seed in (1, 2)]
    change_people(home / "people.toml", lambda people: people.added("Anna", colour="red"))
    originals = {path: path.read_bytes() for path in (*(each.path for each in evenings), home / "people.toml")}
    step = 0
    while True:
        for path, data in originals.items():
            path.write_bytes(data)
        died = _killed_at(step, lambda: erasure.erase("Anna"))
        assert [inspect(each.path).problem for each in evenings] == ["", ""]
        begun = bool(load_people(home / "people.toml").erasure) or not died or step > 10
        command("people")
        people = load_people(home / "people.toml")
        assert people.erasure == ()
        if begun or people.called("Anna") is None:
            assert {names(each.path)[0] for each in evenings} == {("Guest 1", "Ben", "Cleo")}
            assert people.called("Anna") is None
            assert not list(folder.glob(".*.new*"))
        else:
            assert {names(each.path)[0] for each in evenings} == {TABLE}
        if not died:
            break
        step += 1
    assert step > 10
    assert [game.seats[0].name for game in past_games(folder).games] == ["Guest 1", "Guest 1"]


def test_the_log_of_a_hall_that_knows_the_name_is_named_and_left_alone(
    command: Command, home: Path, folder: Path
) -> None:
    PlayedEvening(folder, "lascaux", TABLE).play(5).close()
    log = home / "hall" / "hall.sqlite"
    log.parent.mkdir()
    log.write_bytes(b'{"player":"Anna"}')
    said = command("people", "--forget", "Anna", "--yes")
    assert f"The name is still in {log}" in said.out
    assert log.read_bytes() == b'{"player":"Anna"}'
    assert "hall.sqlite" not in command("people", "--forget", "Ben", "--yes").out
