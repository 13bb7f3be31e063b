"""A browser for the hall's display."""

from tests.web.conftest import in_browser

__all__ = ["in_browser"]
