"""The screen is as quick here as in tests/screen."""

from tests.screen.conftest import (
    a_stylesheet_is_read_once,
    every_press_is_meant,
    nobody_waits_longer_than_needed,
    only_what_is_looked_at_is_painted,
)

__all__ = [
    "a_stylesheet_is_read_once",
    "every_press_is_meant",
    "nobody_waits_longer_than_needed",
    "only_what_is_looked_at_is_painted",
]
