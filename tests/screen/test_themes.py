"""Every text can be read in every theme, and colour never speaks alone."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import combinations

import pytest

from companion.gamekit.game import Move, Place, Thing
from companion.gamekit.screen.themes import THEMES, next_theme
from companion.gamekit.snapshot import Question, Snapshot, StationState, Told
from companion.games.lascaux.colours import HANDPRINTS, swatch
from companion.games.lascaux.screen import _
from companion.screen.widgets import notice
from tests.ours import GAMES
from tests.screen.evening_flow import DAMAGED, FINISHED, OPEN, visit
from tests.screen.games import positions, seen
from tests.screen.ink import EYES, Ink, contrast, distance, painted
from tests.screen.table import COLOURS, LARGE, SMALL, choosing, drawing, evening, over, snapshot
from tests.source_tree import ROOT

AA, AAA = 4.5, 7.0
READABLE = {"dark": AA, "light": AA, "contrast": AAA}
"""WCAG AA, and AAA for the contrast theme."""
STONE_BACK = Move(Thing("stone"), 1, Place("pot"), Place("supply", 0))
REFUSED = Told(9, "refused", "no stones left", "L9", {"seat": 0})
UNDONE = Told(2, "undone", "undone", moves=(STONE_BACK,))

each_theme = pytest.mark.parametrize("theme", THEMES)


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


def hard_to_read(app: object, theme: str) -> list[tuple[float, Ink]]:
    inks = set(painted(app))  # type: ignore[arg-type]
    assert len(inks) > 3
    return sorted((round(ink.contrast, 2), ink) for ink in inks if ink.contrast < _needed(ink, theme))


def _needed(ink: Ink, theme: str) -> float:
    """A fill that brings its own ink is the same in all themes."""
    looks = THEMES[theme]
    plain = {looks.background, looks.surface, looks.panel, looks.variables["primary-muted"]}
    return READABLE[theme] if ink.paper in plain else AA


MOMENTS: dict[str, tuple[Snapshot, tuple[str, ...]]] = {
    "bidding": (snapshot(), ()),
    "choosing": (choosing(True, False, False), ()),
    "handing over": (choosing(True, False, False), ("c",)),
    "secret": (choosing(True, False, False), ("c", "1")),
    "drawing": (drawing(), ("d",)),
    "naming a card": (drawing(), ("d", "5")),
    "undo": (snapshot(), ("u",)),
    "why": (snapshot(history=(REFUSED, Told(10, "noted", "declined"))), ("h",)),
    "help": (snapshot(), ("f1",)),
    "question": (snapshot(question=Question(1, "undo", (1,), (0, 2), (STONE_BACK,))), ()),
    "put back": (snapshot(history=(UNDONE,)), ()),
    "lost reader": (snapshot(devices=(StationState("centre", "lost"), StationState("pad0", "connecting"))), ()),
    "lamps": (snapshot(lights={"pad0": "turn", "pad1": "done", "pad2": "lost"}), ()),
    "scoring": (over(), ()),
    "signs": (snapshot(), ("question_mark",)),
    "result": (over(), ("escape",)),
}


IN_THE_OPEN = ("bidding", "choosing", "lost reader", "lamps", "result")
"""The other moments are dialogs."""


@each_theme
def test_every_text_at_the_table_can_be_read(theme: str) -> None:
    async def story() -> None:
        async with evening(snapshot(), LARGE, theme=theme) as tonight:
            for moment, (shown, keys) in MOMENTS.items():
                await tonight.show(shown)
                await tonight.press(*keys)
                assert tonight.app.screen.is_modal == (moment not in IN_THE_OPEN), moment
                assert hard_to_read(tonight.app, theme) == [], moment
                await tonight.show(snapshot(history=()))
                if tonight.app.screen.is_modal:
                    await tonight.press("escape")

    play(story)


@each_theme
@pytest.mark.parametrize("name", GAMES)
def test_every_text_of_every_game_can_be_read(name: str, theme: str) -> None:
    async def story() -> None:
        states = positions(name, 5)
        async with evening(seen(name, states[0]), LARGE, theme=theme) as tonight:
            for state in states[1::25]:
                await tonight.show(seen(name, state))
                assert hard_to_read(tonight.app, theme) == []

    play(story)


@each_theme
def test_every_notice_can_be_read(theme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice, "LOW_SECONDS", 0.8)

    async def story() -> None:
        async with evening(snapshot(), theme=theme) as tonight:
            for kind in ("refused", "idle"):
                tonight.referee.reply = Told(9, kind, "no stones left", "L9", {"seat": 0})
                await tonight.press("s")
                await tonight.until(lambda: "no stones left" in tonight.text())
                assert hard_to_read(tonight.app, theme) == []
                await tonight.show(snapshot())
            await tonight.referee.close()
            await tonight.until(lambda: "Waiting for the referee" in tonight.text())
            assert hard_to_read(tonight.app, theme) == []

    play(story)


@each_theme
def test_every_text_before_the_table_can_be_read(theme: str) -> None:
    async def story() -> None:
        async with visit((OPEN, FINISHED, DAMAGED), SMALL, theme=theme) as here:
            assert hard_to_read(here.app, theme) == []
            for keys in (("tab",), ("e",), ("escape", "f1"), ("escape", "n"), ("tab",)):
                await here.press(*keys)
                assert hard_to_read(here.app, theme) == [], keys

    play(story)


def test_the_key_goes_round_all_themes_and_what_is_open_stays() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            await tonight.press("u")
            seen = []
            for _theme in THEMES:
                seen.append(tonight.app.theme)
                before = {ink.paper for ink in painted(tonight.app)}
                await tonight.press("t")
                assert {ink.paper for ink in painted(tonight.app)} != before
                assert "Undo the last action?" in tonight.text()
            assert seen == list(THEMES)
            assert tonight.app.theme == seen[0]

    play(story)


def test_an_unknown_theme_is_followed_by_the_first() -> None:
    assert next_theme("ansi") == "dark"


MEASURED = {
    "text on the page": ("foreground", "background"),
    "text on a dialog": ("foreground", "surface"),
    "quiet text on the page": ("quiet", "background"),
    "your move": ("foreground", "primary-muted"),
    "focus frame on a dialog": ("accent", "surface"),
    "primary button": ("button-color-foreground", "primary"),
    "green button": ("button-color-foreground", "success"),
    "red button": ("button-color-foreground", "error"),
}


def test_the_design_tells_the_contrasts_that_are_measured() -> None:
    text = (ROOT.parent / "docs" / "design.md").read_text(encoding="utf-8")
    for what, names in MEASURED.items():
        colours = [[theme.variables.get(name) or getattr(theme, name) for name in names] for theme in THEMES.values()]
        row = " | ".join(f"{contrast(*pair):.1f}" for pair in colours)
        assert f"| {what} | {row} |" in text


# --- Eyes that see fewer colours ------------------------------------------------------------------------------


def test_a_colour_of_the_box_has_a_shape_of_its_own_and_an_ink_that_is_read() -> None:
    swatches = [swatch(colour, COLOURS, _) for colour in COLOURS]
    assert len({shown.shape for shown in swatches}) == len(COLOURS)
    assert len({shown.word for shown in swatches}) == len(COLOURS)
    assert min(contrast(shown.ink, shown.paper) for shown in swatches) >= 4.5
    assert (
        min(max(contrast(ink, paper) for ink in ("#000000", "#ffffff")) for paper, _word in HANDPRINTS.values()) >= 4.5
    )


@pytest.mark.parametrize("eyes", EYES)
def test_colours_of_the_box_look_different_to_all_eyes(eyes: str) -> None:
    """Beside shape and word; ten times what is just noticeable for all but one pair."""
    papers = [swatch(colour, COLOURS, _).paper for colour in COLOURS]
    apart = sorted(distance(one, other, eyes) for one, other in combinations(papers, 2))
    assert apart[0] > 9
    assert apart[1] > 15


@pytest.mark.parametrize("eyes", EYES)
@each_theme
def test_yes_and_no_look_different_to_all_eyes(theme: str, eyes: str) -> None:
    looks = THEMES[theme]
    assert looks.success is not None
    assert looks.error is not None
    assert distance(looks.success, looks.error, eyes) > 12
    assert distance(looks.success, looks.primary, eyes) > 10
