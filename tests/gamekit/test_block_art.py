"""Figures in half blocks: a shape is where its SVG has it, at every size."""

import pytest
from textual.color import Color
from textual.content import Content

from companion.gamekit import discovery
from companion.gamekit.figure import Figure, Figures, figures_of, read_figure
from companion.gamekit.screen.block_art import block_art
from tests.ours import GAMES

INK, PAPER = "#ffffff", "#000000"
HEAD = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" fill="currentColor"'
    b' stroke-linecap="round" stroke-linejoin="round">'
)


def figure(shapes: bytes) -> Figure:
    return read_figure(HEAD + shapes + b"</svg>", "a test")


def pixels(art: list[Content]) -> list[list[float]]:
    """How bright each pixel is, from 0 to 1, row by row."""
    rows: list[list[float]] = []
    for line in art:
        cells = [(sign, *str(span.style).split(" on ")) for sign, span in zip(line.plain, line.spans, strict=True)]
        rows.append([_bright(ink if sign == "▀" else paper) for sign, ink, paper in cells])
        rows.append([_bright(paper) for _sign, _ink, paper in cells])
    return rows


def _bright(colour: str) -> float:
    return Color.parse(colour).brightness


@pytest.mark.parametrize("rows", [3, 4, 9, 20])
def test_a_square_is_twice_as_wide_as_high_in_cells(rows: int) -> None:
    drawn = pixels(block_art(Figures()["square"], 2 * rows, rows, INK, PAPER))
    assert len(drawn) == 2 * rows
    assert {len(row) for row in drawn} == {2 * rows}


def test_what_is_filled_has_the_ink_and_the_rest_the_paper() -> None:
    two = b'<rect x="0" y="0" width="50" height="100"/><rect x="90" y="0" width="10" height="100"/>'
    assert all(row == [1.0] * 5 + [0.0] * 4 + [1.0] for row in pixels(block_art(figure(two), 10, 5, INK, PAPER)))
    disc = pixels(block_art(figure(b'<circle cx="50" cy="50" r="50"/>'), 16, 8, INK, PAPER))
    assert disc[8][8] == 1.0
    assert disc[0][0] == disc[15][15] == 0.0
    assert any(0.0 < bright < 1.0 for row in disc for bright in row), "its edge is smooth"


def test_what_is_drawn_on_a_figure_has_the_colour_of_the_paper() -> None:
    shapes = b'<rect x="0" y="0" width="100" height="100"/><g class="lines" color="white">'
    shapes += b'<rect x="40" y="40" width="20" height="20"/></g>'
    drawn = pixels(block_art(figure(shapes), 10, 5, INK, PAPER))
    assert drawn[4][4] == 0.0
    assert drawn[0][0] == 1.0


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_line_and_a_picture_for_its_card(game: str) -> None:
    said = discovery.manifest(game)
    assert 0 < len(said.about) <= 60
    drawn = pixels(block_art(figures_of(game)[said.picture], 12, 6, INK, PAPER))
    assert 0.2 < sum(map(sum, drawn)) / sum(map(len, drawn)) < 0.95


def test_a_colour_of_the_theme_is_used_as_it_is_because_it_cannot_be_mixed() -> None:
    drawn = block_art(figure(b'<circle cx="50" cy="50" r="50"/>'), 16, 8, "$foreground", "$surface")
    styles = {str(span.style) for line in drawn for span in line.spans}
    assert styles <= {
        f"{one} on {other}" for one in ("$foreground", "$surface") for other in ("$foreground", "$surface")
    }
    assert len(styles) > 1
