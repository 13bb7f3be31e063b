"""Packs: which tag sits on which piece."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.gamekit.game import Thing
from companion.games.lascaux.rules import GAME
from companion.home.tag_packs import new_token
from companion.table.pieces import (
    Pack,
    PackError,
    pack_text,
    parse_pack,
    piece_from_text,
    simulated_pack,
    token_in,
    token_text,
)
from tests.table.old_stickers import piece_text

BOX = GAME.parse_box(GAME.standin(), "the stand-in")
PIECES = GAME.pieces(BOX)
CARD = BOX.cards[0].id


def entry(uid="04A1B2C3D4E5F6", kind="card", piece=CARD, more=""):
    return f'[[tags]]\nuid = "{uid}"\nkind = "{kind}"\nid = "{piece}"\n{more}\n'


def problem(text):
    with pytest.raises(PackError) as raised:
        parse_pack(text, "tags.toml", PIECES)
    return str(raised.value)


def test_a_card_and_a_marker_are_read():
    pack = parse_pack(entry() + entry("DEADBEEF", "marker", "white", "owner = 2"), "tags.toml", PIECES)
    assert pack == Pack({"04A1B2C3D4E5F6": Thing("card", CARD), "DEADBEEF": Thing("marker", "white", 2)})
    assert pack.uid_of(Thing("marker", "white", 2)) == "DEADBEEF"
    assert pack.uid_of(Thing("marker", "white", 1)) is None


TOKEN = "c2l4dGVlbi1ieXRl"


def test_a_token_and_the_address_of_the_links_are_kept_with_the_tags():
    text = 'links = "http://10.42.0.1:8137"\n' + entry(more=f'token = "{TOKEN}"')
    pack = parse_pack(text, "tags.toml", PIECES)
    assert (pack.tokens, pack.links) == ({"04A1B2C3D4E5F6": TOKEN}, "http://10.42.0.1:8137")
    assert parse_pack(pack_text(pack), "written") == pack
    assert pack.uid_with(f"companion:2;{TOKEN}") == "04A1B2C3D4E5F6"
    assert pack.uid_with(f"companion:2;{TOKEN}x") is None
    assert pack.uid_with(TOKEN) is None


def test_tokens_are_random_and_no_two_tags_share_one():
    assert len({new_token() for _ in range(100)}) == 100
    assert all(token_in(token_text(new_token())) for _ in range(100))
    twice = entry(more=f'token = "{TOKEN}"') + entry("DEADBEEF", more=f'token = "{TOKEN}"')
    assert "token: another entry has it already" in problem(twice)
    assert "token: expected 16 to 64 letters" in problem(entry(more='token = "white"'))


def test_tags_that_leave_a_pack_take_their_tokens_along():
    pack = Pack({"04A1B2C3D4E5F6": Thing("card", CARD)}, {"04A1B2C3D4E5F6": TOKEN})
    assert pack.with_tags({}) == Pack()


def test_small_letters_are_the_same_uid():
    assert list(parse_pack(entry("04a1b2c3d4e5f6"), "tags.toml").tags) == ["04A1B2C3D4E5F6"]
    assert "another entry has it already" in problem(entry("04a1b2c3d4e5f6") + entry())


def test_an_empty_pack_is_a_pack():
    assert parse_pack("", "tags.toml", PIECES) == Pack()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[tags", "not valid TOML"),
        ("tag = 1", "unknown key 'tag', expected only links, tags"),
        (entry(more="colour = 1"), "unknown key 'colour'"),
        (entry(more='owner = "2"'), "owner: expected a whole number or nothing, found text"),
        ('[[tags]]\nkind = "card"', "(without uid): 'uid' is missing"),
        ("tags = 5", "tags: expected a list, found a whole number"),
        ('[[tags]]\nuid = 5\nkind = "card"', "tags, entry 1 (5): uid: expected text, found a whole number"),
        ('[[tags]]\nuid = true\nkind = "card"', "tags, entry 1 (true): uid: expected text, found true or false"),
        (entry("04G1B2C3"), "whole bytes in hexadecimal"),
        (entry("04A1B2C"), "whole bytes in hexadecimal"),
        (entry(""), "whole bytes in hexadecimal"),
        (entry("04A1B2C3D4"), "expected 4, 7 or 10 bytes, found 5"),
        (entry(piece="unicorn"), "the box has no card unicorn"),
        (entry(kind="marker", piece="white", more="owner = 7"), "the box has no marker white of set 8"),
    ],
)
def test_a_wrong_pack_says_where_and_what_was_expected(text, says):
    message = problem(text)
    assert message.startswith("tags.toml: ")
    assert says in message


def test_an_error_names_the_entry():
    assert "tags, entry 2 ('04A1')" in problem(entry() + entry("04A1"))


def test_the_simulated_pack_has_a_seven_byte_tag_for_every_piece_and_is_always_the_same():
    pack = simulated_pack(GAME, BOX)
    assert sorted(pack.tags.values(), key=str) == sorted(PIECES, key=str)
    assert {len(bytes.fromhex(uid)) for uid in pack.tags} == {7}
    assert pack == simulated_pack(GAME, BOX)
    assert parse_pack(pack_text(pack), "simulated", PIECES) == pack


uids = st.sampled_from([4, 7, 10]).flatmap(lambda size: st.binary(min_size=size, max_size=size)).map(bytes.hex)
names = st.text(st.characters(exclude_categories=["Cs"]))
things = st.builds(Thing, names, names, st.none() | st.integers(0, 9))


@given(st.dictionaries(uids.map(str.upper), things))
def test_what_is_written_is_read_back(tags):
    assert parse_pack(pack_text(Pack(tags)), "written") == Pack(tags)


# --- What is written on a tag ---------------------------------------------------------------------------------


def test_a_text_names_game_and_piece():
    assert piece_text("lascaux", Thing("marker", "white", 2)) == "companion:1;lascaux;marker;white;2"
    assert piece_text("carnuta", Thing("marker", owner=3)) == "companion:1;carnuta;marker;;3"


@given(names.filter(bool), st.builds(Thing, names.filter(bool), names, st.none() | st.integers(0, 99)))
def test_the_piece_that_a_text_names_is_found_again(game, piece):
    assert piece_from_text(piece_text(game, piece)) == (game, piece)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "companion:2;lascaux;marker;white;2",
        "companion:1;lascaux;marker;white",
        "companion:1;lascaux;marker;white;2;3",
        "companion:1;lascaux;marker;white;two",
        "companion:1;lascaux;marker;white;-1",
        "companion:1;lascaux;marker;white;\u0662",
        "companion:1;lascaux;marker;white;99999999",
        "companion:1;;marker;white;2",
        "companion:1;lascaux;;white;2",
    ],
)
def test_any_other_text_names_no_piece(text):
    assert piece_from_text(text) is None


@given(st.text())
def test_no_text_is_too_strange(text):
    piece_from_text(text)
    piece_from_text(f"companion:1;{text};a;b;1")
