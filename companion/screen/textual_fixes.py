"""Fixes for this version of Textual. With a newer one, check whether they are still needed.

Calling a fix again does nothing.
"""

from functools import lru_cache
from typing import Any

import rich.cells
import rich.segment
from textual._styles_cache import StylesCache
from textual.strip import Strip
from textual.widget import Widget

KEPT = 512
"""How many styles and text widths are cached: enough for several frames of a table."""


def forget_removed_widgets() -> None:
    """Textual 8.2.8 caches border colours by widget, where it means the class: up to 1,024 removed widgets stay in
    memory, with every line that they have drawn.

    It also clears all caches of a removed widget except these lines. After a dialog they are most of a megabyte, which
    is freed only when Python collects cycles, several dialogs later.
    """
    kept: Any = vars(StylesCache)["get_inner_outer"]
    if isinstance(kept, classmethod):
        return
    by_class: Any = lru_cache(1024)(kept.__wrapped__)
    StylesCache.get_inner_outer = classmethod(by_class)  # type: ignore[assignment]  # as it was meant
    leave = Widget._message_loop_exit

    async def leave_nothing(self: Widget) -> None:
        await leave(self)
        self._styles_cache.clear()

    Widget._message_loop_exit = leave_nothing  # type: ignore[method-assign]


def keep_fewer_styles() -> None:
    """Textual gives each run of letters a style with its place on the screen, and Rich caches the width of each text:
    up to 16,384 styles and 4,096 texts, and every game adds new ones all evening."""
    lengths: Any = rich.cells.cached_cell_len
    if lengths.cache_info().maxsize == KEPT:
        return
    fewer: Any = lru_cache(KEPT)(lengths.__wrapped__)
    users: tuple[Any, ...] = (rich.cells, rich.segment)
    for user in users:
        user.cached_cell_len = fewer
    ansi: Any = lru_cache(KEPT)(Strip.render_ansi.__wrapped__)
    Strip.render_ansi = classmethod(ansi)  # type: ignore[assignment]
