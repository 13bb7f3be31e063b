"""What is mended of Textual."""

import gc
import weakref

from textual._styles_cache import StylesCache
from textual.color import Color

from companion.screen.mending import forget_removed_widgets


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
