"""What this version of Textual gets wrong, mended. With a newer one, check whether it is still needed.

Calling any of it again does nothing."""

from functools import lru_cache
from typing import Any

import rich.cells
import rich.segment
from textual._styles_cache import StylesCache
from textual.strip import Strip
from textual.widget import Widget

KEPT = 512
"""How many styles and lengths of text are kept: several frames of a table."""


def forget_removed_widgets() -> None:
    """Textual 8.2.8 keeps the colours of a border by the widget that it was drawn for, where it means the class: up to
    1,024 widgets that are long gone stay in memory, with every line that they had drawn.

    It also clears whatever a removed widget has cached, except for these lines. After a dialog they are most of a
    megabyte, which nothing frees until Python looks for cycles among all objects, several dialogs later."""
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
    """Textual gives each run of letters a style with its place on the screen, and Rich remembers how wide each text is:
    up to 16,384 styles and 4,096 texts are kept, and every game adds new ones, the whole evening long."""
    lengths: Any = rich.cells.cached_cell_len
    if lengths.cache_info().maxsize == KEPT:
        return
    fewer: Any = lru_cache(KEPT)(lengths.__wrapped__)
    users: tuple[Any, ...] = (rich.cells, rich.segment)
    for user in users:
        user.cached_cell_len = fewer
    ansi: Any = lru_cache(KEPT)(Strip.render_ansi.__wrapped__)
    Strip.render_ansi = classmethod(ansi)  # type: ignore[assignment]
