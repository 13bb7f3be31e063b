"""Two halls with one name, a wrong clock, an old version, another program: a clear line each."""

import asyncio
import http.server
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from companion.errors import LinkError, UsageError
from companion.hall import hall_client, hall_server
from companion.hall.hall import Hall
from companion.hall.hall_client import HallClient, check_club, hall_url, wrong_clock
from companion.hall.hall_messages import ClubFacts
from companion.hall.hall_store import HallStore, StoreError
from companion.hall.hall_texts import note_line
from companion.home.paths import certificate_path, hall_membership_path
from companion.processes.certificate import certificate
from companion.processes.hall_link import join_hall
from companion.web.server_process import tls_context
from tests.hall.halls import BEGIN, RunningHall


@pytest.fixture
def halls(tmp_path, run_hall) -> tuple[RunningHall, RunningHall]:
    """Two halls with one name."""
    return run_hall(str(tmp_path / "one.sqlite")), run_hall(str(tmp_path / "two.sqlite"))


def silent(prompt: str) -> str:
    raise AssertionError(f"nobody should be asked: {prompt}")


def test_a_table_joins_once_and_then_knows_its_hall_even_at_another_address(tmp_path, run_hall) -> None:
    hall = run_hall(str(tmp_path / "one.sqlite"))
    joined = join_hall(f"{hall.url}#{hall.hall.table_code}", silent)
    assert join_hall(hall.url, silent) == joined
    moved = run_hall(str(tmp_path / "one.sqlite"))
    assert join_hall(moved.url, silent) == msgspec.structs.replace(joined, url=moved.url)
    assert hall_membership_path().stat().st_mode & 0o077 == 0
    assert joined.credential not in repr(joined)


def test_a_table_asks_for_the_code_if_it_does_not_know_the_hall(halls) -> None:
    hall, _ = halls
    asked = []
    join_hall(hall.url, lambda prompt: asked.append(prompt) or hall.hall.table_code)
    assert asked == ["The code that the hall of Café shows: "]


def test_a_code_with_a_typing_error_is_asked_again(halls) -> None:
    hall, _ = halls
    typed, asked = iter(["AAAA", hall.hall.table_code.lower()]), []
    assert join_hall(hall.url, lambda prompt: asked.append(prompt) or next(typed)).table == "1"
    assert (
        asked[1] == "This is not the code that the hall shows for new tables.\nThe code that the hall of Café shows: "
    )


def test_two_halls_with_one_name_are_told_apart(halls) -> None:
    one, two = halls
    joined = join_hall(f"{one.url}#{one.hall.table_code}", silent)
    asked = []
    with pytest.raises(LinkError, match="not the code that the hall shows"):
        join_hall(two.url, lambda prompt: asked.append(prompt) or "AAAA")
    assert "there are two halls called Café, and this table belongs to the other one" in asked[0]
    with pytest.raises(LinkError, match="two halls called Café"):
        check_club(HallClient(two.url).facts(), joined)


def test_a_hall_of_another_club_is_named(halls) -> None:
    joined = join_hall(f"{halls[0].url}#{halls[0].hall.table_code}", silent)
    with pytest.raises(LinkError, match="this is the hall of Library, and this table belongs to Café"):
        check_club(ClubFacts("Library", "9", 1, 0.0), joined)


@pytest.mark.parametrize(("protocol", "older"), [(0, "the hall"), (2, "this table")])
def test_an_old_version_on_either_side_is_named(halls, protocol: int, older: str) -> None:
    hall, _ = halls
    joined = join_hall(f"{hall.url}#{hall.hall.table_code}", silent)
    facts = msgspec.structs.replace(HallClient(hall.url).facts(), protocol=protocol)
    with pytest.raises(LinkError, match=f"{older} has an old version of Companion; `companion update`"):
        check_club(facts, joined)


def test_the_hall_refuses_a_table_with_another_protocol(halls, monkeypatch) -> None:
    table = halls[0].table()
    monkeypatch.setattr(hall_client, "PROTOCOL", 7)
    with pytest.raises(LinkError, match="this hall speaks protocol 1, the table 7: update the older one"):
        table.take()


def test_a_log_of_another_club_is_left_alone(tmp_path, run_hall) -> None:
    place = str(tmp_path / "hall.sqlite")
    run_hall(place)
    with (
        closing(HallStore(place)) as store,
        pytest.raises(UsageError, match="this hall belongs to Café; for Library, use another folder"),
    ):
        asyncio.run(Hall(store).open("Library"))


def test_a_database_of_a_newer_companion_is_left_alone(tmp_path, monkeypatch) -> None:
    place = str(tmp_path / "hall.sqlite")
    store = HallStore(place)
    store.entries(0)
    store.set("version", "2")
    store.close()
    with closing(HallStore(place)) as again:
        for _ in range(2):  # also when it is asked again
            with pytest.raises(StoreError, match="its log has version 2, this Companion knows 1: update Companion"):
                again.entries(0)


@pytest.mark.skipif(not Path("/sys/kernel").is_dir(), reason="there is no folder here that not even root can write")
def test_a_home_that_cannot_be_written_is_named() -> None:
    with pytest.raises(
        StoreError, match=r"^the hall's database /sys/hall/hall\.sqlite cannot be opened: \w"
    ) as problem:
        HallStore("/sys/hall/hall.sqlite").entries(0)
    assert "Errno" not in str(problem.value)


@pytest.mark.parametrize("place", ["hall:secret@127.0.0.1:9/club", "127.0.0.1:9/club?user=hall&password=secret"])
def test_a_password_in_the_databases_address_is_in_no_message(place: str) -> None:
    with pytest.raises(
        StoreError, match=r"the hall's database postgresql://…?@?127\.0\.0\.1:9/club does not answer"
    ) as problem:
        HallStore(f"postgresql://{place}").entries(0)
    assert "secret" not in str(problem.value)


def test_a_wrong_clock_is_named_at_the_table_and_on_the_directors_page(halls) -> None:
    hall, _ = halls
    table = hall.table()
    hall.night(("Anna", "Ben", "Cleo"))
    fast = HallClient(hall.url, table.membership, lambda: BEGIN + 7200)
    fast.take()
    line = "The clock of this table is 120 minutes fast; the hall's clock counts."
    assert {table: note_line(notes) for table, notes in hall.hall.table_notes.items()} == {"1": line}
    assert wrong_clock(table.facts(), BEGIN + 7200) == (
        "this table's clock is 120 minutes ahead of the hall's; set one of them"
    )
    HallClient(hall.url, table.membership, lambda: BEGIN).take()
    assert hall.hall.table_notes == {}
    assert wrong_clock(table.facts(), BEGIN + 60) == ""


def test_an_address_without_https_is_named_where_the_hall_encrypts(tmp_path, run_hall) -> None:
    hall = run_hall(str(tmp_path / "hall.sqlite"), tls=tls_context(certificate("127.0.0.1").pem))
    with pytest.raises(LinkError, match="it hangs up; with --tls its address begins with https"):
        join_hall(hall.url.replace("https", "http"), silent)


def test_a_table_refuses_a_hall_whose_certificate_is_not_the_one_it_knows(tmp_path, run_hall) -> None:
    hall = run_hall(str(tmp_path / "hall.sqlite"), tls=tls_context(certificate("127.0.0.1").pem))
    joined = join_hall(f"{hall.url}#{hall.hall.table_code}", silent)
    assert HallClient(hall.url, joined).facts().club == "Café"
    certificate_path().unlink()
    impostor = run_hall(str(tmp_path / "hall.sqlite"), tls=tls_context(certificate("127.0.0.1").pem))
    with pytest.raises(LinkError, match="its certificate is not the one that this table knows"):
        HallClient(impostor.url, joined).facts()


class _Other(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<h1>Printer</h1>")

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture
def printer() -> Iterator[str]:
    server = http.server.HTTPServer(("127.0.0.1", 0), _Other)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_another_program_at_the_address_is_no_hall(printer: str) -> None:
    with pytest.raises(LinkError, match="does not answer like a hall; is it another program"):
        join_hall(printer, silent)


def test_a_hall_that_is_away_is_an_error_only_for_a_table_that_never_joined(halls) -> None:
    with pytest.raises(LinkError, match=r"does not answer .* `companion play` without --hall plays alone"):
        join_hall("127.0.0.1:9", silent)
    hall, _ = halls
    joined = join_hall(f"{hall.url}#{hall.hall.table_code}", silent)
    hall.close()
    assert join_hall(hall.url, silent) == joined


@pytest.mark.parametrize(
    ("typed", "url", "code"),
    [
        ("192.0.2.7", "http://192.0.2.7:8170", ""),
        ("192.0.2.7:9000", "http://192.0.2.7:9000", ""),
        ("https://hall.local#K7MX-2P9D", "https://hall.local:8170", "K7MX-2P9D"),
        ("[fd00::2]:8170", "http://[fd00::2]:8170", ""),
    ],
)
def test_an_address_is_read_as_people_type_it(typed: str, url: str, code: str) -> None:
    assert hall_url(typed) == (url, code)


@pytest.mark.parametrize("typed", ["", "ftp://x", "http://", "x:99999", "[fd00::2", "http://a\u2100b"])
def test_what_is_no_address_is_refused_in_a_line(typed: str) -> None:
    with pytest.raises(LinkError, match="is no address of a hall"):
        hall_url(typed)


def test_answers_that_are_no_json_are_no_crash(halls, monkeypatch) -> None:
    table = halls[0].table()
    monkeypatch.setattr(hall_server, "answer", lambda _message: hall_server._html("<p>"))
    with pytest.raises(LinkError, match="does not answer like a hall"):
        table.facts()
