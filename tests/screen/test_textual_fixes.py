"""What is mended of Textual."""

import asyncio
import gc
import weakref

import rich.cells
import rich.segment
from rich.cells import cell_len
from textual._styles_cache import StylesCache
from textual.app import App
from textual.color import Color
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Static

from companion.screen.textual_fixes import KEPT, forget_removed_widgets, keep_fewer_styles


def test_the_lines_of_a_widget_that_has_gone_are_forgotten() -> None:
    forget_removed_widgets()
    forget_removed_widgets()
    drawn = StylesCache()
    inner, outer = drawn.get_inner_outer(Color(0, 0, 0), Color(255, 0, 0))
    assert (inner.background, outer.background) == (Color(255, 0, 0), Color(0, 0, 0))
    gone = weakref.ref(drawn)
    del drawn
    gc.collect()
    assert gone() is None


class Dialog(ModalScreen[None]):
    def compose(self):
        yield Static("first line\nsecond line")


def test_a_dialog_that_was_closed_frees_its_lines_before_python_looks_for_cycles() -> None:
    """A dialog has drawn hundreds of them: a few dialogs that wait to be collected are megabytes."""
    forget_removed_widgets()

    async def scene() -> None:
        app: App[None] = App()
        async with app.run_test() as pilot:
            dialog = Dialog()
            await app.push_screen(dialog)
            await pilot.pause()
            dialog._compositor.render_strips()  # nothing else paints where there is no terminal
            text = dialog.query_one(Static)
            assert text._styles_cache._cache
            await dialog.dismiss()
            await pilot.pause()
            assert not text._styles_cache._cache

    asyncio.run(scene())


def test_however_many_texts_were_drawn_few_of_their_lengths_are_kept() -> None:
    keep_fewer_styles()
    keep_fewer_styles()
    kept = rich.cells.cached_cell_len
    assert kept is vars(rich.segment)["cached_cell_len"]
    for number in range(2 * KEPT):
        assert cell_len(f"字 {number}") == 3 + len(str(number))
    assert kept.cache_info().currsize == KEPT
    assert Strip.render_ansi.cache_info().maxsize == KEPT
