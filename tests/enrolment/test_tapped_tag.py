"""Which tag was meant: one alone, for a moment."""

from companion.enrolment.tapped_tag import SETTLE_MS, TappedTag
from companion.gamekit.enrolment import Complaint
from companion.table.signals import (
    Connecting,
    LinkDown,
    LinkUp,
    ReaderFault,
    Signal,
    TagFound,
    TagPlaced,
    TagRemoved,
    TagsUnclear,
)

ONE, OTHER = "04A1B2C3D4E5F6", "04A1B2C3D4E5F7"


def placed(uid: str) -> Signal:
    return TagPlaced("centre", 0, uid)


def removed(uid: str) -> Signal:
    return TagRemoved("centre", 0, uid)


def heard(*signals: tuple[int, Signal]) -> tuple[TappedTag, list[Complaint]]:
    hearing, complaints = TappedTag(), []
    for now_ms, signal in signals:
        hearing, complaint = hearing.after(signal, now_ms)
        complaints += [complaint] if complaint else []
    return hearing, complaints


def test_a_tag_alone_counts_when_nothing_has_come_beside_it_and_counts_once() -> None:
    hearing, complaints = heard((0, placed(ONE)))
    assert complaints == []
    assert hearing.settled(SETTLE_MS - 1)[1] is None
    hearing, uid = hearing.settled(SETTLE_MS)
    assert uid == ONE
    assert hearing.settled(10 * SETTLE_MS)[1] is None


def test_a_tag_that_was_lifted_at_once_counts_too() -> None:
    hearing, _ = heard((0, placed(ONE)), (50, removed(ONE)))
    assert hearing.settled(SETTLE_MS)[1] == ONE


def test_of_two_tags_none_counts_and_both_are_named() -> None:
    hearing, complaints = heard((0, placed(OTHER)), (1, placed(ONE)))
    assert complaints == [Complaint("two tags", {"uids": f"{ONE}, {OTHER}"})]
    assert hearing.settled(1000)[1] is None


def test_a_tag_beside_one_that_still_lies_there_does_not_count() -> None:
    hearing, _ = heard((0, placed(ONE)))
    hearing, _ = hearing.settled(SETTLE_MS)
    hearing, complaint = hearing.after(placed(OTHER), 1000)
    assert complaint == Complaint("two tags", {"uids": f"{ONE}, {OTHER}"})
    assert hearing.settled(2000)[1] is None


def test_two_taps_faster_than_a_hand_can_make_them_are_two_tags() -> None:
    hearing, complaints = heard((0, placed(ONE)), (50, removed(ONE)), (100, placed(OTHER)))
    assert [complaint.what for complaint in complaints] == ["two tags"]
    assert hearing.settled(1000)[1] is None


def test_after_two_tags_one_that_is_laid_down_anew_counts() -> None:
    hearing, _ = heard((0, placed(ONE)), (1, placed(OTHER)), (2, removed(ONE)), (3, removed(OTHER)), (4, placed(ONE)))
    assert hearing.settled(1000)[1] == ONE


def test_a_tag_that_lay_there_before_the_reader_was_ready_has_to_be_laid_again() -> None:
    hearing, complaints = heard((0, TagFound("centre", 0, ONE)), (1, LinkUp("centre", 0)))
    assert complaints == [Complaint("lay it again")]
    assert hearing.settled(1000)[1] is None
    hearing, _ = hearing.after(removed(ONE), 2000)
    hearing, _ = hearing.after(placed(ONE), 3000)
    assert hearing.settled(4000)[1] == ONE


def test_a_stack_that_cannot_be_made_out_is_told_and_nothing_counts() -> None:
    hearing, complaints = heard((0, placed(ONE)), (1, TagsUnclear("centre", 0)))
    assert complaints == [Complaint("unclear")]
    assert hearing.settled(1000)[1] is None


def test_a_reader_that_fails_takes_nothing_and_says_why_until_it_is_back() -> None:
    for fault in (ReaderFault("centre", 0, "the bus fails"), LinkDown("centre", 0, "the bus fails")):
        hearing, _ = heard((0, LinkUp("centre", 0)), (1, placed(ONE)), (2, fault))
        assert hearing.problem == "the bus fails"
        assert hearing.settled(1000)[1] is None
        assert hearing.after(LinkUp("centre", 0), 3)[0].problem == ""


def test_a_reader_that_is_being_looked_for_is_not_there_yet() -> None:
    hearing, complaints = heard((0, Connecting("centre", 0)))
    assert (hearing.problem, complaints) == ("connecting", [])


def test_one_reader_that_works_is_enough_and_buttons_are_no_reader() -> None:
    fault = ReaderFault("pad0", 0, "no chip answers")
    hearing, _ = heard((0, fault), (1, LinkUp("pins", 0)))
    assert hearing.problem == "no chip answers"
    hearing, _ = hearing.after(Connecting("pad0", 0), 2)
    assert hearing.problem == "no chip answers"
    assert hearing.after(LinkUp("centre", 0), 3)[0].problem == ""
