"""The installed games: which can be played, and which packages bring one that cannot."""

from collections.abc import Iterator

from companion.doctor.finding import Check, Finding
from companion.gamekit import discovery

LIMIT_S = 60.0
"""Longer than any package may take to be tried."""


def game_checks() -> Iterator[Check]:
    yield Check("games", _games, limit_s=LIMIT_S)


def _games() -> Iterator[Finding]:
    """A package that fails disturbs nobody, so it is not a problem of the table: people decide what to do with it. Each
    is tried again, whatever is remembered of it."""
    discovery.look_again()
    for broken in discovery.unusable():
        advice = f"all other games can be played; `pip uninstall {broken.package}` removes this one"
        yield Finding.check(f"game {broken.name}", f"{broken.package}: {broken.reason}", advice)
    yield Finding.ok("games", f"{', '.join(game.name for game in discovery.playable())} can be played")
