"""Fingers of tests are fast and mean every press; tests of held keys bring their own clock."""

import pytest

from companion.screen import calm


@pytest.fixture(autouse=True)
def every_press_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calm, "SETTLE_S", 0.0)
    monkeypatch.setattr(calm, "REPEAT_S", 0.0)
