"""`companion tags`: what is found before game one, and how packs go from table to table."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import msgspec
import ndef
import pytest

from companion.devices.ndef import message_of, read_text, write_text
from companion.devices.rc522.driver import Rc522
from companion.devices.rc522.simulated_bus import Board, WallClock
from companion.devices.rc522.simulated_chip import Chip
from companion.devices.simulated.shared_field import SimulatedField
from companion.devices.simulated.tags import Classic, Ntag
from companion.enrolment.course import Course
from companion.files import store
from companion.gamekit.game import Thing
from companion.games.lascaux.rules import GAME
from companion.home.paths import pack_path, progress_path
from companion.home.tag_packs import store_pack, stored_pack
from companion.journal.lock import WriterLock
from companion.processes.referee_process import introductions
from companion.table.pieces import Pack, introduced, pack_text, token_text
from tests.table.old_stickers import piece_text
from tests.verbs.command import Command

BOX = GAME.parse_box(GAME.standin(), "the stand-in")
PIECES = GAME.pieces(BOX)
WHITE, BLUE = Thing("marker", "white", 2), Thing("marker", "blue", 0)
ONE, OTHER, KEY_RING = "04A1B2C3D4E5F6", "04A1B2C3D4E5F7", "12345678"


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture
def field(home: Path) -> Iterator[SimulatedField]:
    """The field of a reader that table.toml knows."""
    home.mkdir()
    (home / "table.toml").write_text('[[reader]]\nstation = "centre"\n')
    board = Board(WallClock())
    chip = board.plug(Chip())
    with board.installed():
        yield chip.field


def whole_pack() -> Pack:
    return Pack({f"04A1{number:010X}": piece for number, piece in enumerate(PIECES, 1)})


def known(tags: dict[str, Thing], game: str = "lascaux") -> None:
    store_pack(pack_path(game), Pack(tags))


@contextmanager
def opened() -> Iterator[Rc522]:
    """The reader, as another program would see it; every tag in its field is awake."""
    with closing(Rc522(0, 0, 25)) as reader:
        reader.inventory(())
        yield reader


# --- Looking --------------------------------------------------------------------------------------------------


def test_every_piece_is_listed_with_its_tags_and_what_is_printed_on_it(command: Command) -> None:
    known({ONE: WHITE, OTHER: WHITE, KEY_RING: Thing("card", BOX.cards[0].id)})
    status, out, err = command("tags", "list", "lascaux")
    assert (status, err) == (0, "")
    assert "12345678              card aurochs-brown-blue (aurochs brown/blue)\n" in out
    assert f"{ONE} {OTHER}  marker white of set 3\n" in out
    assert "–                     marker blue of set 1\n" in out
    assert out.endswith("\n3 tags on 84 pieces of the stand-in box of lascaux\n")


@pytest.mark.parametrize("game", ["sioux", "darwinci", "carnuta"])
def test_the_pieces_of_every_game_can_be_listed(command: Command, game: str) -> None:
    status, out, _ = command("tags", "list", game)
    assert status == 0
    assert "0 tags on" in out


def test_a_whole_pack_is_well(command: Command) -> None:
    store_pack(pack_path("lascaux"), whole_pack())
    status, out, _ = command("tags", "check", "lascaux", "--without-reader")
    assert (status, out) == (0, "All is well: 84 tags on 84 pieces.\n")


def test_without_a_reader_it_is_said_that_no_tag_was_tried(command: Command) -> None:
    store_pack(pack_path("lascaux"), whole_pack())
    status, out, _ = command("tags", "check", "lascaux")
    assert status == 0
    assert out.startswith("table.toml has no reader, so no tag was tried")


def test_pieces_without_a_tag_are_missing(command: Command) -> None:
    store_pack(pack_path("lascaux"), Pack(dict(list(whole_pack().tags.items())[:-2])))
    status, out, _ = command("tags", "check", "lascaux", "--without-reader")
    assert status == 1
    assert out == "missing: 2 pieces without a tag: marker white of set 5, marker blue of set 5\n"


def test_many_missing_pieces_are_counted(command: Command) -> None:
    status, out, _ = command("tags", "check", "lascaux", "--without-reader")
    assert status == 1
    assert out.startswith("missing: 84 pieces without a tag: card aurochs-brown-blue (aurochs brown/blue), ")
    assert out.endswith(" and 76 more\n")


def test_a_tag_on_pieces_of_two_games_is_doubled(command: Command) -> None:
    store_pack(pack_path("lascaux"), whole_pack())
    known({"04A10000000001": Thing("card", "crow", 1)}, "sioux")
    status, out, _ = command("tags", "check", "lascaux", "--without-reader")
    assert status == 1
    assert out == (
        "doubled: 04A10000000001 sits on card aurochs-brown-blue (aurochs brown/blue) and, in sioux, on card crow\n"
    )


def test_a_tag_twice_in_one_pack_is_told_with_its_entry(command: Command) -> None:
    path = pack_path("lascaux")
    store_pack(path, Pack({ONE: WHITE}))
    path.write_text(path.read_text() + pack_text(Pack({ONE: BLUE})))
    status, out, _ = command("tags", "check", "lascaux", "--without-reader")
    assert status == 1
    assert out == f"{path}: tags, entry 2 ('{ONE}'): uid: another entry has it already; a tag sits on one piece\n"


def test_tags_of_another_box_and_tags_that_were_made_up_are_told(command: Command) -> None:
    store_pack(pack_path("lascaux"), Pack(whole_pack().tags | {ONE: Thing("card", "unicorn"), "04000000000001": WHITE}))
    status, out, _ = command("tags", "check", "lascaux", "--without-reader")
    assert status == 1
    assert f"foreign: {ONE} sits on card unicorn, which is not in the stand-in box of lascaux\n" in out
    assert "made up: 04000000000001 on marker white of set 3 comes from the simulated reader" in out


# --- Trying each on a reader ----------------------------------------------------------------------------------


def test_each_tag_is_read_many_times_and_one_that_fails_now_and_then_is_weak(
    command: Command, field: SimulatedField
) -> None:
    known({ONE: WHITE, KEY_RING: BLUE})
    field.place(Classic(bytes.fromhex(KEY_RING)), Ntag(bytes.fromhex(ONE), reliability=0.7, chance=Random(1)))
    status, out, _ = command("tags", "check", "lascaux", "--reads", "30")
    assert status == 1
    assert f"{KEY_RING}: marker blue of set 1: answered 30 of 30, good\n" in out
    assert f"{ONE}: marker white of set 3: answered " in out
    assert f"weak: {ONE} on marker white of set 3 answered " in out
    assert f"weak: {KEY_RING}" not in out


def test_tags_that_answer_every_time_are_good(command: Command, field: SimulatedField) -> None:
    store_pack(pack_path("carnuta"), Pack())
    known({ONE: WHITE, KEY_RING: BLUE})
    field.place(Classic(bytes.fromhex(KEY_RING)), Ntag(bytes.fromhex(ONE)))
    _, out, _ = command("tags", "check", "lascaux")
    assert f"{ONE}: marker white of set 3: answered 20 of 20, good\n" in out
    assert "weak" not in out
    assert "not tried" not in out


def test_a_user_who_ends_it_early_is_told_what_was_not_tried(command: Command, field: SimulatedField) -> None:
    known({ONE: WHITE, KEY_RING: BLUE})
    field.place(Classic(bytes.fromhex(KEY_RING)), Ntag(bytes.fromhex(OTHER)))
    ended = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    ended.start()
    status, out, _ = command("tags", "check", "lascaux", "--reads", "3")
    ended.cancel()
    assert status == 1
    assert "The reader of the centre is ready.\n" in out
    assert f"{OTHER}: sits on no piece of lascaux\n" in out
    assert out.endswith("not tried: 1 tag\n")


def test_a_reader_that_does_not_work_is_told_with_what_to_do(command: Command, home: Path) -> None:
    home.mkdir()
    (home / "table.toml").write_text('[[reader]]\nstation = "centre"\n')
    known({ONE: WHITE})
    ended = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    ended.start()
    with Board(WallClock()).installed():
        _, out, _ = command("tags", "check", "lascaux")
    ended.cancel()
    assert "The reader of the centre: the bus cannot be opened; switch SPI on" in out


def test_readers_are_left_alone_while_a_referee_has_them(command: Command, field: SimulatedField, home: Path) -> None:
    known({ONE: WHITE})
    (home / "evenings").mkdir()
    (home / "evenings" / "2026-01-01-1.journal").touch()
    lock = WriterLock(home / "evenings" / "2026-01-01-1.journal")
    try:
        for words in (["tags", "check"], ["tags", "write"], ["enroll"]):
            status, _, err = command(*words, "lascaux")
            assert status == 2
            assert "the referee of 2026-01-01-1 uses the readers now: end that evening" in err
    finally:
        lock.release()


# --- Writing on stickers --------------------------------------------------------------------------------------


def test_each_sticker_gets_a_token_and_a_key_ring_cannot(command: Command, field: SimulatedField) -> None:
    known({ONE: WHITE, KEY_RING: BLUE})
    field.place(Classic(bytes.fromhex(KEY_RING)), Ntag(bytes.fromhex(ONE)))
    status, out, _ = command("tags", "write", "lascaux")
    assert status == 1
    assert f"{ONE}: marker white of set 3: written\n" in out
    assert f"{KEY_RING}: marker blue of set 1: this tag carries no text (MIFARE Classic): it works by its number" in out
    assert out.endswith("1 of 2 tags now carry a token that only this table knows.\n")
    pack = stored_pack("lascaux")
    assert list(pack.tokens) == [ONE]
    with opened() as reader:
        assert read_text(reader, bytes.fromhex(ONE)) == token_text(pack.tokens[ONE])


def test_when_all_are_written_all_is_well_also_the_second_time(command: Command, field: SimulatedField) -> None:
    known({ONE: WHITE})
    field.place(Ntag(bytes.fromhex(ONE)))
    assert command("tags", "write", "lascaux").status == 0
    status, out, _ = command("tags", "write", "lascaux")
    assert status == 0
    assert "written before" in out


def test_a_written_sticker_says_nothing_to_a_table_that_does_not_have_the_pack(
    command: Command, field: SimulatedField
) -> None:
    known({ONE: WHITE, OTHER: BLUE})
    field.place(Ntag(bytes.fromhex(ONE)), Ntag(bytes.fromhex(OTHER)))
    command("tags", "write", "lascaux")
    with opened() as reader:
        texts = [str(read_text(reader, bytes.fromhex(uid))) for uid in (ONE, OTHER)]
    for text in texts:
        assert not any(word in text for word in ("lascaux", "marker", "white", "blue"))
        assert introduced(Pack({}), GAME, BOX, ONE, text).tags == {}
    assert len({len(text) for text in texts}) == 1, "not even by its length"
    mine = stored_pack("lascaux")
    assert introduced(mine, GAME, BOX, KEY_RING, texts[0]).tags[KEY_RING] == WHITE


def test_an_old_sticker_keeps_working_is_found_by_the_check_and_renewed_by_writing(
    command: Command, field: SimulatedField
) -> None:
    known({ONE: WHITE})
    field.place(Ntag(bytes.fromhex(ONE)))
    with opened() as reader:
        assert write_text(reader, bytes.fromhex(ONE), piece_text("lascaux", WHITE)) == "written"
        greet = introductions(Pack({}))
        assert greet is not None
        assert introduced(Pack({}), GAME, BOX, ONE, str(greet(reader, bytes.fromhex(ONE)))).tags == {ONE: WHITE}
    readable = f"readable: {ONE} names its piece, and every phone can read it"
    assert readable in command("tags", "check", "lascaux").out
    assert command("tags", "write", "lascaux").status == 0
    assert readable not in command("tags", "check", "lascaux").out


def test_with_links_the_address_comes_first_and_the_pack_remembers_it(command: Command, field: SimulatedField) -> None:
    known({ONE: WHITE})
    tag = Ntag(bytes.fromhex(ONE))
    field.place(tag)
    status, out, _ = command("tags", "write", "lascaux", "--links", "--address", "127.0.0.1", "--port", "9000")
    assert (status, "The links open http://127.0.0.1:9000." in out) == (0, True)
    pack = stored_pack("lascaux")
    assert pack.links == "http://127.0.0.1:9000"
    token = pack.tokens[ONE]
    link, text = ndef.message_decoder(message_of(token_text(token), f"http://127.0.0.1:9000/t#{token}"))
    assert (link.uri, text.text) == (f"http://127.0.0.1:9000/t#{token}", token_text(token))
    with opened() as reader:
        assert read_text(reader, bytes.fromhex(ONE)) == token_text(token)
        assert write_text(reader, bytes.fromhex(ONE), token_text(token), link.uri) == "the same"


def test_a_merged_pack_brings_its_tokens_along(command: Command, tmp_path: Path) -> None:
    known({ONE: WHITE})
    store_pack(tmp_path / "theirs.toml", Pack({OTHER: BLUE}, {OTHER: "c2l4dGVlbi1ieXRl"}))
    assert command("tags", "merge", "lascaux", str(tmp_path / "theirs.toml")).status == 0
    assert stored_pack("lascaux").tokens == {OTHER: "c2l4dGVlbi1ieXRl"}


@pytest.mark.parametrize(
    "text",
    [
        piece_text("lascaux", Thing("marker", "gold", 2)),
        piece_text("lascaux", Thing("tile", "t1")),
        piece_text("sioux", WHITE),
        "https://example.org",
    ],
)
def test_a_sticker_that_names_no_piece_of_the_box_stays_unknown(field: SimulatedField, text: str) -> None:
    field.place(Ntag(bytes.fromhex(ONE)))
    greet = introductions(Pack({}))
    assert greet is not None
    with opened() as reader:
        assert write_text(reader, bytes.fromhex(ONE), text) == "written"
        assert greet(reader, bytes.fromhex(ONE)) == text
    assert introduced(Pack({}), GAME, BOX, ONE, text).tags == {}


# --- Between tables -------------------------------------------------------------------------------------------


def test_what_is_exported_can_be_merged_at_another_table(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known({ONE: WHITE})
    file = tmp_path / "pack.toml"
    status, out, _ = command("tags", "export", "lascaux", "-o", str(file))
    assert (status, out) == (0, f"Written: 1 tag of lascaux to {file}\n")
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "elsewhere"))
    known({KEY_RING: BLUE})
    status, out, _ = command("tags", "merge", "lascaux", str(file), str(file))
    assert (status, out) == (0, "1 new tag, 2 tags in all.\n")
    assert stored_pack("lascaux") == Pack({KEY_RING: BLUE, ONE: WHITE})


def test_without_a_file_the_pack_is_printed(command: Command) -> None:
    known({ONE: WHITE})
    status, out, _ = command("tags", "export", "lascaux")
    assert (status, out) == (0, pack_text(Pack({ONE: WHITE})))


def test_an_export_does_not_overwrite_unless_it_is_forced(command: Command, tmp_path: Path) -> None:
    known({ONE: WHITE})
    file = tmp_path / "pack.toml"
    file.write_text("mine")
    status, _, err = command("tags", "export", "lascaux", "-o", str(file))
    assert (status, err) == (2, f"companion: {file} is there already; --force overwrites it\n")
    assert file.read_text() == "mine"
    assert command("tags", "export", "lascaux", "-o", str(file), "--force").status == 0


def test_an_export_makes_no_folders(command: Command, tmp_path: Path) -> None:
    known({ONE: WHITE})
    status, _, err = command("tags", "export", "lascaux", "-o", str(tmp_path / "nope" / "pack.toml"))
    assert status == 2
    assert f"there is no folder {tmp_path}/nope: make it first" in err
    assert not (tmp_path / "nope").exists()


def test_an_enrolment_that_was_not_ended_is_told_with_what_is_known_of_the_tags(command: Command) -> None:
    known(whole_pack().tags)
    store(progress_path("lascaux"), msgspec.json.encode(Course("lascaux", GAME.standin())).decode())
    line = "half done: the enrolment of lascaux is at 0 of 85 steps; `companion enroll lascaux` goes on\n"
    assert command("tags", "list", "lascaux")[1].endswith(line)
    assert command("tags", "check", "lascaux", "--without-reader")[:2] == (1, line)
    store(progress_path("lascaux"), "nonsense")
    assert "half done: " in command("tags", "list", "lascaux")[1]


def test_where_tables_disagree_all_is_named_and_nothing_is_merged(command: Command, tmp_path: Path) -> None:
    known({ONE: WHITE})
    known({KEY_RING: Thing("card", "crow", 1)}, "sioux")
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    store_pack(first, Pack({ONE: BLUE, OTHER: WHITE, KEY_RING: BLUE}))
    store_pack(second, Pack({OTHER: BLUE}))
    status, _, err = command("tags", "merge", "lascaux", str(first), str(second))
    assert status == 2
    assert err == (
        "companion: nothing was merged, because 3 tags cannot be: "
        f"{ONE} is on marker white of set 3 here and on marker blue of set 1 in {first}; "
        f"{KEY_RING} is on a piece of sioux here and on marker blue of set 1 in {first}; "
        f"{OTHER} is on marker white of set 3 in {first} and on marker blue of set 1 in {second}\n"
    )
    assert stored_pack("lascaux") == Pack({ONE: WHITE})


def test_a_pack_of_another_box_is_not_merged(command: Command, tmp_path: Path) -> None:
    store_pack(tmp_path / "pack.toml", Pack({ONE: Thing("card", "unicorn")}))
    status, _, err = command("tags", "merge", "lascaux", str(tmp_path / "pack.toml"))
    assert status == 2
    assert err.endswith(f"pack.toml: tags, entry 1 ('{ONE}'): the box has no card unicorn\n")
    assert not pack_path("lascaux").exists()


IMPOSSIBLE = {
    "nothing to do": (["tags"], "ACTION is not given"),
    "an unknown deed": (["tags", "eat", "lascaux"], "there is no action 'eat'"),
    "an unknown game": (["tags", "list", "chess"], "there is no game 'chess'"),
    "to enrol an unknown game": (["enroll", "chess"], "there is no game 'chess'"),
    "no reads at all": (["tags", "check", "lascaux", "--reads", "0"], "expected a whole number, 1 or more, got '0'"),
    "nothing to export": (["tags", "export", "lascaux"], "no tag of lascaux is known here; `companion enroll lascaux`"),
    "an export of an unknown game": (["tags", "export", "chess"], "there is no game 'chess'"),
    "nothing to merge": (["tags", "merge", "lascaux"], "FILE is not given"),
    "a pack that is not there": (
        ["tags", "merge", "lascaux", "nowhere.toml"],
        "nowhere.toml: this pack of tags is missing",
    ),
    "nothing to write": (["tags", "write", "lascaux"], "no tag of lascaux is known here"),
    "no terminal": (["enroll", "lascaux"], "enrolling needs a terminal"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_is_impossible_is_told_and_nothing_is_begun(command: Command, home: Path, name: str) -> None:
    words, expected = IMPOSSIBLE[name]
    status, out, err = command(*words)
    assert (status, out) == (2, "")
    assert expected in err
    assert "Traceback" not in err
    assert not home.exists()


def test_without_a_reader_nothing_can_be_written(command: Command) -> None:
    known({ONE: WHITE})
    status, _, err = command("tags", "write", "lascaux")
    assert status == 2
    assert "table.toml has no reader to write with; `companion config` writes one for kit one" in err
    assert "`companion enroll lascaux --phone`" in err
