"""Phones as readers: what they touch is a gesture at their seat or at the centre, and nobody's secret gets out."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.gamekit.game import Thing
from companion.gamekit.snapshot import PieceRead, Told
from companion.messages.intentions import BeCentre, Identify, TapTag
from companion.table.pieces import token_text
from companion.table.presence import Presence
from companion.table.signals import TagPlaced, TagRemoved, TagTapped
from tests.referee.table import ALL_SIX, Table
from tests.table.old_stickers import piece_text

TOKENS = {
    Thing("marker", "white", 0): "white-of-seat-zero",
    Thing("marker", "blue", 0): "blue--of-seat-zero",
    Thing("marker", "white", 1): "white-of-seat-one-",
    Thing("card", ALL_SIX[0]): "a-card-of-the-deck",
}


class PhoneTable(Table):
    """Its stickers carry tokens; its clock moves on with each tap."""

    def __init__(self, folder: Path, **how) -> None:
        super().__init__(folder, **how)
        session = self.referee.session
        pack = session._seat_pads.pack
        tokens = {str(pack.uid_of(piece)): token for piece, token in TOKENS.items()}
        session._seat_pads = replace(session._seat_pads, pack=replace(pack, tokens=tokens))

    def touch(self, seat: int, uid: str = "", text: str = "", **how: bool) -> Told:
        self.now += 10.0
        return self.heed(TapTag(self.new_id(), seat, uid, text, **how))


@pytest.fixture(params=["none", "one", "full"])
def table(tmp_path: Path, request: pytest.FixtureRequest) -> PhoneTable:
    """Every player is to choose a colour. Phones read pieces at every table, whatever its kit."""
    table = PhoneTable(tmp_path, kit=request.param)
    for card in ALL_SIX:
        table.act("draw", card=card)
    return table


WHITE, BLUE, BENS = Thing("marker", "white", 0), Thing("marker", "blue", 0), Thing("marker", "white", 1)


def test_a_marker_that_its_owner_s_phone_touches_is_chosen_as_on_their_pad(table: PhoneTable) -> None:
    told = table.touch(0, table.uid(WHITE))
    assert (told.kind, told.how) == ("accepted", "tag")
    assert table.seen.table.chosen == (True, False, False)


def test_an_iphone_learns_the_token_alone_and_that_is_enough(table: PhoneTable) -> None:
    assert table.touch(0, text=token_text(TOKENS[WHITE])).kind == "accepted"
    assert table.evening.state.choices[0] == "white"


def test_a_sticker_of_an_earlier_version_is_known_by_its_text(table: PhoneTable) -> None:
    assert table.touch(0, "04A1B2C3D4E5F6", piece_text("lascaux", WHITE)).kind == "accepted"


@pytest.mark.parametrize("tag", [("04A1B2C3D4E5F6", ""), ("", ""), ("", token_text("never-written-anywhere"))])
def test_a_sticker_that_is_on_no_piece_is_named_as_such_and_changes_nothing(table: PhoneTable, tag) -> None:
    before = table.entries
    assert table.touch(0, *tag).what == "unknown sticker"
    assert table.entries == before


def test_the_same_piece_again_within_a_moment_counts_once(table: PhoneTable) -> None:
    table.touch(0, table.uid(WHITE))
    again = table.heed(TapTag("again", 0, table.uid(WHITE)))
    assert (again.kind, table.words(again)) == ("repeated", "Double touch ignored")


def test_a_piece_can_be_tapped_again_and_again_because_a_phone_sees_no_removal(table: PhoneTable) -> None:
    for piece in (WHITE, BLUE, WHITE, BLUE):
        assert table.touch(0, table.uid(piece)).kind == "accepted"
        assert table.evening.state.choices[0] == piece.id


def test_what_lies_on_a_pad_stays_there_when_a_phone_touches_it(table: PhoneTable) -> None:
    table.hear(TagPlaced("pad0", table.now_ms, table.uid(WHITE)))
    lying = table.referee.session._presence.lying
    table.touch(1, table.uid(WHITE))
    table.touch(0, table.uid(WHITE))
    assert table.referee.session._presence.lying == lying


SIGNALS = st.lists(
    st.builds(
        lambda kind, station, uid: (kind, station, uid),
        st.sampled_from([TagPlaced, TagRemoved, TagTapped]),
        st.sampled_from(["pad0", "pad1", "centre"]),
        st.sampled_from(["04A1B2C3D4E5F6", "04A1B2C3D4E5F7"]),
    ),
    max_size=12,
)


@given(SIGNALS)
def test_whatever_phones_touch_nothing_comes_to_lie_anywhere_and_nothing_leaves(said) -> None:
    """A phone is a tap reader: without its taps the same is known about every pad."""
    with_taps = without = Presence()
    for number, (kind, station, uid) in enumerate(said):
        signal = kind(station, number * 5000, uid)
        with_taps = with_taps.after(signal)
        if kind is not TagTapped:
            without = without.after(signal)
        assert with_taps.lying == without.lying


# --- The centre -------------------------------------------------------------------------------------------------


def test_one_phone_in_the_middle_reads_for_all_players_and_all_are_told(table: PhoneTable) -> None:
    assert table.touch(2, table.uid(WHITE), centre=True).what == "not the centre"
    table.heed(BeCentre("c", 2, True))
    assert table.seen.history[-1].what == "phone is the centre"
    assert table.seen.history[-1].facts == {"seat": 2}
    lines = table.seen.history
    table.heed(BeCentre("c again", 2, True))
    assert table.seen.history == lines, "that is known"
    for piece in (WHITE, BENS):
        assert table.touch(2, table.uid(piece), centre=True).kind == "accepted"
    assert table.seen.table.chosen == (True, True, False)


def test_another_phone_takes_the_centre_over_and_the_first_one_is_told_when_it_reads(table: PhoneTable) -> None:
    table.heed(BeCentre("c", 2, True))
    table.heed(BeCentre("d", 1, True))
    assert table.touch(2, table.uid(WHITE), centre=True).what == "not the centre"
    assert table.touch(1, table.uid(WHITE), centre=True).kind == "accepted"
    table.heed(BeCentre("e", 1, False))
    assert table.touch(1, table.uid(BENS), centre=True).what == "not the centre"


# --- Secrets ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ask", [False, True])
def test_when_a_phone_reads_another_player_s_piece_all_are_told_and_never_which(table: PhoneTable, ask: bool) -> None:
    before = table.entries
    told = table.touch(1, table.uid(WHITE), ask=ask)
    assert (told.kind, told.what, told.facts) == ("foreign", "phone has read", {"seat": 1, "owner": 0})
    assert table.seen.history[-1] == told
    assert table.words(told) == "Ben's phone has read one of Anna's pieces"
    assert table.entries == before
    again = replace(table.touch(1, table.uid(BLUE), ask=ask), number=told.number)
    assert again == told, "whichever it was, the same is said"


def test_a_phone_that_stays_on_another_player_s_piece_is_reported_once(table: PhoneTable) -> None:
    table.touch(1, table.uid(WHITE))
    lines = table.seen.history
    table.heed(TapTag("again", 1, table.uid(WHITE)))
    assert table.seen.history == lines
    table.touch(1, table.uid(WHITE))
    assert len(table.seen.history) == len(lines) + 1, "some seconds later it is another time"


def test_to_ask_what_a_piece_is_plays_nothing_and_is_no_line(table: PhoneTable) -> None:
    lines, entries = table.seen.history, table.entries
    told = table.touch(0, table.uid(WHITE), ask=True)
    assert (told.kind, told.what, told.number) == ("noted", "piece was read", 0)
    assert (table.seen.history, table.entries) == (lines, entries)


def identified(table: PhoneTable, seat: int, piece: Thing) -> PieceRead:
    return table.referee.inform(Identify("i", seat, table.uid(piece)))


def test_a_piece_is_named_to_its_owner_with_whether_it_may_be_played(table: PhoneTable) -> None:
    assert identified(table, 0, WHITE) == PieceRead("i", WHITE, playable=True)
    assert identified(table, 1, WHITE) == PieceRead("i", owner=0)
    card = Thing("card", ALL_SIX[0])
    assert identified(table, 1, card) == PieceRead("i", card, playable=False)  # it is in the row already


@given(st.sampled_from(["white", "blue", "green"]), st.sampled_from(["white", "blue", "green"]))
def test_no_answer_to_another_phone_depends_on_what_a_player_hides(tmp_path_factory, one: str, other: str) -> None:
    """Two tables that differ in Anna's hidden marker: whatever Ben's phone touches, it gets the same answers."""
    answers = []
    for colour in (one, other):
        table = PhoneTable(tmp_path_factory.mktemp("world"))
        for card in ALL_SIX:
            table.act("draw", card=card)
        table.act("choose", seat=0, colour=colour)
        pieces = [Thing("marker", each, seat) for each in ("white", "blue", "green") for seat in (0, 1)]
        said = [(identified(table, 1, piece), table.touch(1, table.uid(piece), ask=True)) for piece in pieces]
        answers.append((said, table.seen.history))
    assert answers[0] == answers[1]
