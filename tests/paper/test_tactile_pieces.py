"""Pieces for fingers: they feel what kind it is, and never which one."""

import io
from collections import defaultdict

import pytest
from pypdf import PdfReader

from companion.cli import main
from companion.gamekit import discovery
from companion.gamekit.paper import Lettering, Plate
from companion.paper.tactile_pieces import for_fingers, notches
from companion.verbs.print import pieces_of
from tests.ours import GAMES


@pytest.fixture(params=GAMES)
def pieces(request: pytest.FixtureRequest):
    game = discovery.find(request.param)
    return pieces_of(game, game.parse_box(game.standin(), "the stand-in"), "en")[0]


def test_every_kind_has_notches_of_its_own_and_face_down_no_piece_feels_like_itself(pieces) -> None:
    """All pieces of a kind have the same notches, in the same places: no finger learns what a hidden one shows."""
    felt = defaultdict(set)
    for before, after in zip(pieces, for_fingers(pieces), strict=True):
        cut = after.front[len(before.front) :]
        assert all(isinstance(each, Plate) and each.x == 0 for each in cut)
        assert all(each.y + each.height <= before.size.height for each in cut)
        felt[before.kind, before.size].add(cut)
        assert len(cut) == notches(pieces)[before.kind]
    assert all(len(cuts) == 1 for cuts in felt.values())
    assert len(set(notches(pieces).values())) == len({piece.kind for piece in pieces})


def test_the_type_is_half_as_large_again_and_bold(pieces) -> None:
    for before, after in zip(pieces, for_fingers(pieces), strict=True):
        for small, large in zip(before.front, after.front, strict=False):
            if isinstance(small, Lettering):
                assert (large.height, large.bold) == (small.height * 1.5, True)


def test_the_first_page_says_what_the_notches_mean(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert main(["print", "lascaux", "--tactile", "--language", "en"]) == 0
    first = PdfReader(io.BytesIO((tmp_path / "lascaux-a4-en-tactile.pdf").read_bytes())).pages[0].extract_text()
    assert "1 notch at the left edge: " in first
    assert "2 notches at the left edge: " in first
