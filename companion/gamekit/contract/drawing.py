"""A game's looks, drawn without a screen: everything that a face says about one table."""

from collections.abc import Iterator
from typing import Any

import msgspec

from companion.gamekit.beginning import usual_names
from companion.gamekit.game import Game, Setup
from companion.gamekit.screen.face import Menu, Sight
from companion.gamekit.screen.finding import find_face
from companion.gamekit.snapshot import Player, Snapshot
from companion.language.speech import LANGUAGES, speak, spoken

SIZES = ((66, False), (100, True), (160, True))
"""Widths of a screen, and whether there is room between things."""


def seen(game: Game[Any, Any], setup: Setup, state: Any) -> Snapshot:
    """The table as a screen in another process gets it, with people only."""
    offered, awaiting = tuple(game.offered(state)), game.awaiting(state)
    snapshot = Snapshot(
        number=1,
        entry=1,
        evening="contract",
        game=game.name,
        players=tuple(Player(name) for name in usual_names(setup.players)),
        kit="none",
        options=msgspec.to_builtins(setup.options),
        box=setup.box,
        table=game.view(state),
        awaiting=awaiting,
        settled=game.settled(state) if awaiting and game.settled else (),
        offered=offered,
        scores=game.scores(state) if awaiting is None else (),
        winners=game.winners(state) if awaiting is None else (),
    )
    return msgspec.json.decode(msgspec.json.encode(snapshot), type=Snapshot)


def drawn(snapshot: Snapshot) -> Iterator[str]:
    """In every language: the headline, the table at every size, each button, each menu, each option."""
    before = spoken()
    try:
        for code in LANGUAGES:
            speak(code)
            yield from _drawn(snapshot)
    finally:
        speak(before)


def _drawn(snapshot: Snapshot) -> Iterator[str]:
    face = find_face(snapshot.game)
    sight = Sight(snapshot, face)
    if not sight.over:
        yield face.headline(sight).sentence
        for width, tall in SIZES:
            yield "\n".join(panel.plain for panel in face.panels(sight, width, tall))
    for command in face.commands(sight):
        yield command.label
        actions = command.of(sight)
        if len(actions) > 1 and face.dialog(sight, actions, lambda _action: None) is None:
            yield from _menu(face.choices(sight, actions))


def _menu(menu: Menu) -> Iterator[str]:
    yield menu.title
    for choice in menu.choices:
        yield str(choice.label)
        if isinstance(choice.value, Menu):
            yield from _menu(choice.value)
