"""Figures: every SVG file that ships can be drawn, and what cannot is named with its file, line and element."""

import re
from pathlib import Path

import pytest

import companion
from companion.gamekit import discovery
from companion.gamekit.figure import KIT, SIGNS, Figure, FigureError, Figures, Outline, figures_of, read_figure
from companion.gamekit.paper import FigureMark
from companion.gamekit.parts import paper_of
from companion.language.wording import ENGLISH
from tests.ours import GAMES

TOP = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" fill="currentColor" '
    'stroke-linecap="round" stroke-linejoin="round">'
)
DOT = '<circle cx="50" cy="50" r="44"/>'
PEN = 'fill="none" stroke="currentColor" stroke-width="4"'
LINES = '<g class="lines" color="white">'


def read(inside: str, top: str = TOP) -> Figure:
    return read_figure(f"{top}\n{inside}\n</svg>".encode(), "dot.svg")


# --- What ships -----------------------------------------------------------------------------------------------------


def test_every_svg_file_in_a_folder_of_figures_can_be_drawn() -> None:
    root = Path(companion.__file__).parent
    paths = [*root.rglob("figures/*.svg"), *(root.parent / "examples").rglob("figures/*.svg")]
    assert len({path.parent for path in paths}) == len(GAMES) + 2
    for path in paths:
        assert read_figure(path.read_bytes(), str(path)).body


@pytest.mark.parametrize("game", GAMES)
def test_every_figure_of_a_game_is_printed_except_bones_that_its_box_does_not_have(game: str) -> None:
    """A file that nothing names would stay for ever."""
    known, rules = figures_of(game), discovery.find(game)
    printed = paper_of(game)(rules.parse_box(rules.standin(), "the box"), ENGLISH.text)
    marks = [mark for piece in printed for mark in (*piece.front, *piece.back)]
    drawn = {mark.figure for mark in marks if isinstance(mark, FigureMark)}
    own = [name for name, path in known.files.items() if path.parent != KIT and not name.startswith("bone-")]
    kept = {"darwinci": {"wedge", "arch", "lozenge", "tick"}}.get(game, set())
    assert {name for name in own if known[name] not in drawn} == kept


def test_every_sign_has_its_shape_in_every_game() -> None:
    for game in GAMES:
        assert len({figures_of(game).of_sign(sign) for sign in SIGNS}) == len(SIGNS)


def test_a_games_own_figure_comes_before_the_kits(tmp_path: Path) -> None:
    (tmp_path / "disc.svg").write_text(f"{TOP}{DOT.replace('44', '20')}</svg>")
    assert Figures(tmp_path)["disc"] != Figures()["disc"]
    assert Figures(tmp_path)["square"] == Figures()["square"]


@pytest.mark.parametrize("name", ["mammut", "../figures/disc", "disc.svg", "/etc/passwd", ""])
def test_a_figure_that_is_not_there_is_named(name: str) -> None:
    assert name not in Figures()
    with pytest.raises(FigureError, match=f"no figure {re.escape(repr(name))}; there are bar, clubs, diamond"):
        Figures()[name]


# --- What is read ---------------------------------------------------------------------------------------------------


def test_shapes_become_paths_that_are_filled_or_drawn_with_a_pen() -> None:
    square = (("M", (10, 20)), ("L", (40, 20)), ("L", (40, 60)), ("L", (10, 60)), ("Z", ()))
    line = (("M", (1, 2)), ("L", (3, 4)))
    assert read('<rect x="10" y="20" width="30" height="40"/>').body == (Outline(square),)
    assert read('<polygon points="10,20 40,20 40 60 10,60"/>').body == (Outline(square),)
    assert read(f'<polygon points="10,20 40,20 40,60 10,60" {PEN}/>').body == (Outline(square, 4),)
    assert read(f'<line x1="1" y1="2" x2="3" y2="4" {PEN}/>').body == (Outline(line, 4),)
    assert read(f'<g {PEN}><polyline points="1,2 3,4"/></g>').body == (Outline(line, 4),)
    assert read(f'<path d="M 1 2\n L 3,4" {PEN}/>').body == (Outline(line, 4),)
    assert read(DOT).body == read('<ellipse cx="50" cy="50" rx="44" ry="44"/>').body
    assert read(DOT).body[0].path[2] == ("C", (94, 74.3, 74.3, 94, 50, 94))


def test_what_is_drawn_on_a_figure_has_a_colour_of_its_own() -> None:
    found = read(f'{DOT}<!-- eyes -->{LINES}<circle cx="40" cy="40" r="3"/><g {PEN}><path d="M 1 2 L 3 4"/></g></g>')
    assert [outline.pen for outline in found.body] == [0]
    assert [outline.pen for outline in found.lines] == [0, 4]


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        ("<script>alert(1)</script>", "line 2: <script> is not among g, path"),
        ('<image href="x"/>', "<image> is not among"),
        ("<style>*{}</style>", "<style> is not among"),
        ("<title>dot</title>", "<title> is not among"),
        (f"{DOT}words", "<svg> has the text 'words'"),
        ('<g><g>\n\n<circle cx="50" cy="50" r="44" onload="x"/></g></g>', 'line 4: <circle> has onload="x"'),
        ('<circle cx="50" cy="50" r="44" fill="red"/>', '<circle> has fill="red"'),
        ('<circle cx="50" cy="50" r="44" style="x"/>', '<circle> has style="x"'),
        ('<g transform="rotate(3)"/>', '<g> has transform="rotate'),
        ('<circle cx="50" cy="50" r="44" class="lines" color="white"/>', '<circle> has class="lines"'),
        ('<g class="body"/>', '<g> has class="body"'),
        ('<circle cx="50" cy="50"/>', "<circle> has no r"),
        ('<circle cx="50" cy="50" r="wide"/>', "<circle> has r='wide', which is no number"),
        ('<circle cx="50" cy="150" r="1"/>', "<circle> has cy='150', which is outside"),
        ('<circle cx="nan" cy="50" r="1"/>', "<circle> has cx='nan', which is outside"),
        ('<line x1="1" y1="2" x2="3" y2="4"/>', "<line> has no pen"),
        ('<polyline points="1,2 3,4"/>', "<polyline> has no pen"),
        (f'<line x1="1" y1="2" x2="3" y2="4" {PEN.replace("4", "0")}/>', "<line> has a stroke-width of 0"),
        ('<polygon points="1,2 3"/>', "<polygon> has points of 3 numbers"),
        ('<path d="m 1 2"/>', "<path> begins with 'm'"),
        ('<path d="1 2"/>', "<path> begins with '1'"),
        ('<path d="M 1 2 3 4"/>', "<path> has M with 4 numbers: expected 2"),
        ('<path d="L 1 2"/>', "<path> does not begin with M"),
        ('<path d=""/>', "<path> does not begin with M"),
        ('<path d="M 1 2 A 1 1 1 1 1 1 1"/>', "<path> has d='A', which is no number"),
        (f"{LINES}{DOT}</g>{DOT}", "<circle> comes after the group"),
        (f"{LINES}{DOT}</g>", "dot.svg: nothing is drawn in the figure's own colour"),
        (f'<circle cx="50" cy="50" r="44">{DOT}</circle>', "<circle> is inside a shape"),
        ("", "nothing is drawn"),
        ("<g>", "dot.svg, line 3: this is not XML (mismatched tag"),
        ("<?php ?>", "<?php> is not needed"),
    ],
)
def test_what_we_do_not_draw_is_refused_with_its_file_and_element(inside: str, why: str) -> None:
    with pytest.raises(FigureError, match=re.escape(why)) as refused:
        read(inside)
    assert str(refused.value).startswith("dot.svg")


@pytest.mark.parametrize(
    ("before", "after"),
    [("0 0 100 100", "0 0 24 24"), ('fill="currentColor" ', ""), ("viewBox", 'width="9" viewBox'), ("<svg", "<html")],
)
def test_every_figure_begins_in_the_same_way(before: str, after: str) -> None:
    top = TOP.replace(before, after)
    with pytest.raises(FigureError, match="begins no figure: expected <svg xmlns="):
        read_figure(f"{top}{DOT}</{top[1:5].strip()}>".encode(), "dot.svg")


def test_entities_are_not_expanded() -> None:
    laughs = b'<!DOCTYPE svg [<!ENTITY a "ha">]>' + f"{TOP}{DOT}&a;</svg>".encode()
    with pytest.raises(FigureError, match="<!DOCTYPE> is not needed"):
        read_figure(laughs, "dot.svg")
