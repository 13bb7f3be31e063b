"""Tests of the screen do not wait and do not work for nothing: fingers mean every press, and nothing is drawn on a
headless terminal."""

from typing import Any

import pytest
from textual._compositor import Compositor
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot

from companion.gamekit.screen import press_guard
from tests.screen import quiet

_parsed: dict[Any, Any] = {}
_parse = Stylesheet._parse_rules


@pytest.fixture(autouse=True)
def screens_are_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also wherever else a conftest.py imports this: screens of games, and what they remember."""
    _every_press_is_meant(monkeypatch)
    _only_what_is_looked_at_is_painted(monkeypatch)
    _a_stylesheet_is_read_once(monkeypatch)
    _no_test_waits_longer_than_needed(monkeypatch)


def _every_press_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests of held keys bring their own clock."""
    monkeypatch.setattr(press_guard, "SETTLE_S", 0.0)
    monkeypatch.setattr(press_guard, "REPEAT_S", 0.0)


def _only_what_is_looked_at_is_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A headless app paints every change and throws it away: a third of the work. Tests read the screen through
    `Evening.text` or `ink.painted`, which paint all of it there and then. Real terminals are in tests/verbs."""

    def render_update(self: Compositor, *_: Any, **__: Any) -> None:
        self._dirty_regions.clear()

    monkeypatch.setattr(Compositor, "render_update", render_update)


def _a_stylesheet_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each app reads the same ones, with the same colours."""

    def parse_once(self: Stylesheet, *what: Any, **how: Any) -> Any:
        key = (what, frozenset(how.items()), frozenset(self._variables.items()))
        if key not in _parsed:
            _parsed[key] = _parse(self, *what, **how)
        return _parsed[key]

    monkeypatch.setattr(Stylesheet, "_parse_rules", parse_once)


def _no_test_waits_longer_than_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textual.app.wait_for_idle", quiet.loop_is_quiet)
    monkeypatch.setattr("textual.pilot.wait_for_idle", quiet.loop_is_quiet)
    monkeypatch.setattr(Pilot, "_wait_for_screen", quiet.screen_is_quiet)
    monkeypatch.setattr(Pilot, "pause", quiet.pause)
