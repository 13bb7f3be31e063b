"""Where pieces come to lie: all of them, once, inside the margins, none over another; backs behind their fronts."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from companion.gamekit import Thing
from companion.gamekit.paper import LARGEST, Extent, PaperPiece
from companion.paper.pages import CLEAR, GAP, MARGIN, MARK, SHEETS, cell, pages

sizes = st.builds(Extent, st.integers(10, int(LARGEST.width)), st.integers(10, int(LARGEST.height)))


@st.composite
def boxes(draw) -> list[PaperPiece]:
    """Runs of pieces of one size, some of them folded."""
    runs = draw(st.lists(st.tuples(sizes, st.integers(1, 40), st.booleans()), max_size=5))
    return [
        PaperPiece(Thing("piece", f"{run}-{number}"), "piece", size, (), folded=folded)
        for run, (size, count, folded) in enumerate(runs)
        if not folded or size.height * 2 <= LARGEST.height
        for number in range(count)
    ]


@given(boxes(), st.sampled_from(sorted(SHEETS)))
def test_every_piece_lies_once_inside_the_margins_and_over_no_other(box, name) -> None:
    sheet = SHEETS[name]
    laid_out = pages(box, sheet)
    placed = [[each for block in page.blocks for each in block.placed] for page in laid_out]
    assert [each.piece for page in placed for each in page] == box
    for page in placed:
        for each in page:
            size = cell(each.piece)
            assert each.x >= MARGIN - 0.01
            assert each.y >= MARGIN - 0.01
            assert each.x + size.width <= sheet.width - MARGIN + 0.01
            assert each.y + size.height <= sheet.height - MARGIN + 0.01
        for number, one in enumerate(page):
            for other in page[number + 1 :]:
                assert apart(one, other)


PRINTABLE = 6.0
"""Millimetres from the edge: what common printers reach."""


@given(boxes(), st.sampled_from(sorted(SHEETS)))
def test_every_cut_mark_is_where_a_printer_reaches(box, name) -> None:
    sheet = SHEETS[name]
    for page in pages(box, sheet):
        for block in page.blocks:
            assert min(block.x, block.y) - CLEAR - MARK >= PRINTABLE - 0.01
            assert block.x + block.columns * block.cell.width + CLEAR + MARK <= sheet.width - PRINTABLE + 0.01
            assert block.bottom + CLEAR + MARK <= sheet.height - PRINTABLE + 0.01


def apart(one, other) -> bool:
    a, b = cell(one.piece), cell(other.piece)
    across = one.x + a.width <= other.x + 0.01 or other.x + b.width <= one.x + 0.01
    down = one.y + a.height <= other.y + 0.01 or other.y + b.height <= one.y + 0.01
    return across or down


@given(boxes(), st.sampled_from(sorted(SHEETS)))
def test_a_back_lies_behind_its_front_when_the_sheet_is_turned_over(box, name) -> None:
    for page in pages(box, SHEETS[name]):
        for block in page.blocks:
            for front, back in zip(block.placed, block.mirrored, strict=True):
                assert front.piece is back.piece
                turned = page.sheet.width - back.x - cell(back.piece).width
                assert abs(turned - front.x) < 0.01
                assert front.y == back.y


@given(boxes(), st.sampled_from(sorted(SHEETS)))
def test_blocks_leave_room_for_each_others_cut_marks_and_no_page_is_empty(box, name) -> None:
    for page in pages(box, SHEETS[name]):
        assert page.blocks
        for one, other in pairwise(page.blocks):
            assert other.y - one.bottom >= GAP - 0.01
