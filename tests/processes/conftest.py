"""A home of its own for every test, as in tests/verbs."""

from tests.verbs.conftest import home

__all__ = ["home"]
