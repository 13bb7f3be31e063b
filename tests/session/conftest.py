"""A table and a socket, as in tests/referee."""

from tests.referee.conftest import path, table

__all__ = ["path", "table"]
