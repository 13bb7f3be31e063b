"""What this version of Textual gets wrong, mended. With a newer one, check whether it is still needed."""

from functools import lru_cache
from typing import Any

from textual._styles_cache import StylesCache


def forget_removed_widgets() -> None:
    """Textual 8.2.8 keeps the colours of a border by the widget that it was drawn for, where it means the class: up to
    1,024 widgets that are long gone stay in memory, with every line that they had drawn. Calling this again does
    nothing."""
    kept: Any = vars(StylesCache)["get_inner_outer"]
    if not isinstance(kept, classmethod):
        by_class: Any = lru_cache(1024)(kept.__wrapped__)
        StylesCache.get_inner_outer = classmethod(by_class)  # type: ignore[assignment]  # as it was meant
