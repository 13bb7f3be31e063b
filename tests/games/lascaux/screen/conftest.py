"""The screen is as quick here as in tests/screen."""

from tests.screen.conftest import screens_are_quick

__all__ = ["screens_are_quick"]
