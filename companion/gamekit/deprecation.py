"""Names of the kit that have moved: each still works for games of this `API`, and says what to write instead."""

import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any


class KitDeprecationWarning(DeprecationWarning):
    """A game uses something of the kit that the next `API` will not have. The text says what to write instead."""


def moved_names(module: str, moved: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a module whose names have moved: `{"old": "new"}`, within the module.

    Python calls it for names that the module does not have."""

    def get(name: str) -> Any:
        if name not in moved:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        deprecate(f"{module}.{name}", f"{module}.{moved[name]}", stacklevel=3)
        return getattr(sys.modules[module], moved[name])

    return get


def deprecate(what: str, instead: str, stacklevel: int = 2) -> None:
    """Warn the code that uses this. pytest and `companion check` show it."""
    warnings.warn(KitDeprecationWarning(f"{what} is deprecated: write {instead}"), stacklevel=stacklevel)
