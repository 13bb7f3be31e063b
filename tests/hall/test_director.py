"""The director's terminal and the desk with its reader, and a hall that is killed."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest

from companion.hall.decisions import JoinTable, open_night, report_result, seat_next_round, sign_in, start_round
from companion.hall.director_orders import answer_line, form_decision
from companion.hall.hall import Hall
from companion.hall.hall_state import NightOpened, ReportedSeat, ResultReported
from companion.hall.hall_store import HallStore
from companion.hall.hall_texts import TableNote
from companion.people.persons import People, Person
from companion.processes.hall_process import HallDesk
from tests.verbs.terminal import Terminal


def at_the_desk(tmp_path: Path, *lines: str, people: People | None = None, tables: Sequence[str] = ()) -> None:
    """The desk prints its answers. A line that is hexadecimal is a player card on its reader."""

    async def scene() -> None:
        store = HallStore(str(tmp_path / "hall.sqlite"))
        hall = Hall(store, lambda: 1000.0)
        await hall.open("Café")
        running = asyncio.create_task(hall.run())
        for table in tables:
            await hall.change(JoinTable(table).decide)
        desk = HallDesk(hall, people or People())
        for line in lines:
            if all(char in "0123456789ABCDEF" for char in line):
                await desk.lay(line)
            else:
                await desk.obey(line)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        store.close()

    asyncio.run(scene())


def test_a_night_can_be_directed_by_lines(tmp_path, capsys) -> None:
    at_the_desk(tmp_path, "open lascaux", "in Anna, Ben, Cleo", "add", "seat")
    said = capsys.readouterr().out
    assert "Lascaux: 3 players are here: Anna, Ben and Cleo." in said
    assert "Unknown command 'add'. Available:" in said
    assert "No table has joined the hall yet" in said


def test_a_night_may_have_the_table_options_of_its_game(tmp_path, capsys) -> None:
    lines = ("open sioux last_card=never", "open sioux last_card=at_once", "in Anna, Ben, Cleo", "seat", "start")
    at_the_desk(tmp_path, *lines, tables=("1",))
    assert "last_card" in capsys.readouterr().out.partition("\n")[0], "a value that it does not have is refused"
    store = HallStore(str(tmp_path / "hall.sqlite"))
    opened = [entry.event for entry in store.entries(0) if isinstance(entry.event, NightOpened)]
    store.close()
    assert [plan.options for plan in opened] == [{"last_card": "at_once"}]


def test_one_refused_name_keeps_no_other_player_out(tmp_path, capsys) -> None:
    at_the_desk(tmp_path, "open lascaux", "in Anna, Ben", "in anna, Cleo", "IN", "out ben, Zoe")
    said = capsys.readouterr().out
    assert "Anna is signed in already" in said
    assert "3 players are here: Anna, Ben and Cleo." in said
    assert "A player needs a name that can be shown" in said
    assert "Zoe is not signed in.\nLascaux: 2 players are here: Anna and Cleo." in said


def test_the_terminal_says_which_results_are_missing(tmp_path, capsys) -> None:
    lines = (
        "open lascaux",
        "in Anna, Ben, Cleo",
        "seat",
        "swap anna, cleo",
        "start",
        "result 1 3 2 1",
        "result 1: 3 2 1",
    )
    at_the_desk(tmp_path, *lines, tables=("1",))
    said = capsys.readouterr().out
    assert "No result yet: table 1." in said
    assert "A result needs a table, a colon and points" in said
    assert "Result of table 1: " in said.rpartition("No result yet")[2]


def test_a_player_card_signs_in_its_owner_and_an_unknown_one_belongs_to_who_signs_in_next(tmp_path, capsys) -> None:
    known = People((Person("Anna", "Anna", card="04AA"),))
    at_the_desk(tmp_path, "open lascaux", "04AA", "04BB", "in Ben", "out Ben", "04BB", "04BB", people=known)
    said = capsys.readouterr().out
    assert "Anna has signed in." in said
    assert "Unknown player card 04BB. `in NAME` signs its owner in, and from then on the card does." in said
    assert "Ben has signed in." in said
    assert "Ben is signed in already" in said


def test_a_card_waits_for_the_next_player_whom_the_hall_lets_in(tmp_path, capsys) -> None:
    at_the_desk(tmp_path, "open lascaux", "in Anna", "04A1B2", "in Anna", "in Ben, Cleo", "out Ben", "04A1B2")
    assert capsys.readouterr().out.rstrip().endswith("Ben has signed in.")


def test_the_terminal_says_what_tables_phones_and_the_page_do(tmp_path, capsys) -> None:
    async def scene() -> None:
        store = HallStore(str(tmp_path / "hall.sqlite"))
        hall = Hall(store, lambda: 1000.0)
        await hall.open("Café")
        desk = HallDesk(hall, People())
        running = asyncio.create_task(hall.run())
        await hall.change(JoinTable("1", "hash").decide)
        await hall.change(open_night(NightOpened("lascaux")))
        for name in ("Anna", "Ben", "Cleo"):
            await hall.change(sign_in(name))
        await hall.change(seat_next_round)
        await hall.change(start_round(1000.0))
        night = hall.state.nights[0]
        names = night.rounds[0].seats["1"]
        hall.note_table("1", TableNote("The box {box} is in use at table {table}.", {"box": "Lascaux 1", "table": "2"}))
        hall.note_table("1", TableNote("The box {box} is in use at table {table}.", {"box": "Lascaux 1", "table": "2"}))
        for key, revision, score, finished in (
            ("a", 1, 9, True),
            ("a", 2, 8, False),
            ("a", 3, 7, True),
            ("b", 1, 5, True),
        ):
            seats = tuple(ReportedSeat(name, score - place, place) for place, name in enumerate(names, 1))
            facts = ("1", 1, 1, "lascaux", 2000.0 + (key == "b"), seats, finished)
            await hall.change(report_result(ResultReported(key, revision, *facts)))
        await desk.answer(answer_line(hall, "end"))
        await desk.answer(answer_line(hall, "tables"))
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        store.close()

    asyncio.run(scene())
    said = capsys.readouterr().out
    for line in (
        "Table 1 has joined.",
        "A night of Lascaux is open.",
        "Ben has signed in.",
        "drawn by lot.",
        "Round 1 ends at",
    ):
        assert said.count(line) >= 1, line
    assert said.count("Table 1: The box Lascaux 1 is in use at table 2.") == 1
    first, undone, corrected, more = (
        said.index(words)
        for words in (
            "Result of table 1:",
            "Table 1 has undone the end of its game.",
            " 6, ",
            "one more game. Its first one counts.",
        )
    )
    assert first < undone < corrected < more
    assert said.count("All results are in. `end` ends round 1.") == 2
    assert said.count("Round 1 is over.") == 1, "what was typed is answered, and is no news"
    assert said.rstrip().endswith("   1  The box Lascaux 1 is in use at table 2.")


def test_of_two_results_that_are_entered_at_once_the_later_one_counts(tmp_path) -> None:
    async def scene() -> None:
        store = HallStore(str(tmp_path / "hall.sqlite"))
        hall = Hall(store, lambda: 1000.0)
        await hall.open("Café")
        running = asyncio.create_task(hall.run())
        await hall.change(JoinTable("1").decide)
        await hall.change(open_night(NightOpened("lascaux")))
        for name in ("Anna", "Ben", "Cleo"):
            await hall.change(sign_in(name))
        await hall.change(seat_next_round)
        await hall.change(start_round(1000.0))
        entries = [form_decision("result", {"table": ["1"], "score": points}, 1000.0) for points in ("123", "456")]
        await asyncio.gather(*map(hall.change, entries))
        (result,) = hall.state.results.values()
        assert [seat.score for seat in result.seats] == [4, 5, 6]
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        store.close()

    asyncio.run(scene())


# --- Killed ---------------------------------------------------------------------------------------------------


class HallProcess:
    """`companion hall`, with its terminal as pipes."""

    def __init__(self, home: Path, *game: str) -> None:
        words = ("hall", "Café", *(game or ("--game", "lascaux")), "--address", "127.0.0.1")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "companion", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            env=os.environ | {"COMPANION_HOME": str(home)},
        )
        self._lines: Queue[str] = Queue()
        self._reading = Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.rstrip())

    def type(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")

    def wait_for(self, words: str) -> str:
        while words not in (line := self._lines.get(timeout=60)):
            pass
        return line

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._reading.join()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()


@pytest.fixture
def killed_halls(home: Path) -> Iterator[list[HallProcess]]:
    running: list[HallProcess] = []
    yield running
    for each in running:
        each.kill()


def test_a_night_survives_a_kill_9_after_every_order(home: Path, killed_halls: list[HallProcess]) -> None:
    def started() -> HallProcess:
        killed_halls.append(HallProcess(home))
        return killed_halls[-1]

    hall = started()
    hall.wait_for("The hall Café is at http")
    hall.type("in Anna, Ben, Cleo")
    hall.wait_for("3 players are here: Anna, Ben and Cleo.")
    hall.kill()
    hall = started()
    hall.wait_for("3 players are here: Anna, Ben and Cleo.")
    hall.type("out Ben")
    hall.wait_for("2 players are here: Anna and Cleo.")
    hall.kill()
    hall = started()
    hall.wait_for("2 players are here: Anna and Cleo.")


def test_a_night_that_goes_on_is_named_if_another_one_was_wanted(home: Path, killed_halls: list[HallProcess]) -> None:
    killed_halls.append(HallProcess(home))
    killed_halls[0].wait_for("0 players are here.")
    killed_halls[0].kill()
    killed_halls.append(HallProcess(home, "--game", "sioux"))
    assert killed_halls[1].wait_for("goes on as it was opened; `close` ends it.").startswith("The night of Lascaux, ")


def test_a_second_hall_in_the_same_folder_is_refused(home: Path, killed_halls: list[HallProcess]) -> None:
    killed_halls.append(HallProcess(home))
    killed_halls[0].wait_for("The hall Café is at http")
    second = subprocess.run(
        [sys.executable, "-m", "companion", "hall", "--address", "127.0.0.1"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=os.environ | {"COMPANION_HOME": str(home)},
    )
    assert second.returncode == 2
    assert "a hall is running in this folder already" in second.stderr


@pytest.mark.parametrize("stop", [signal.SIGTERM, "q"])
def test_a_hall_whose_display_is_in_the_terminal_ends_when_it_is_asked_to(
    home: Path, stop: signal.Signals | str
) -> None:
    terminal = Terminal("hall", "Café", "--game", "lascaux", "--address", "127.0.0.1", "--no-live", "--screen")
    terminal.until_painted("Lascaux|Café")
    terminal.until_painted("Sign in with your phone")
    if isinstance(stop, signal.Signals):
        terminal.process.send_signal(stop)
    else:
        terminal.press(stop)
    terminal.until(lambda: terminal.process.poll() is not None, "the hall to end")
    assert terminal.process.returncode == 0, terminal.left_behind
