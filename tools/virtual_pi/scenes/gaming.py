"""Whole games over the Pi's own reader and a satellite on USB, whose plug is pulled again and again."""

import time
from collections.abc import Callable

from tools.virtual_pi.bench import Bench
from tools.virtual_pi.machine import USER, Guest, Start
from tools.virtual_pi.scenes.installing import BY_ITSELF, FULL, HANDS
from tools.virtual_pi.stage import PATIENCE_S, Stage

SEEDS = {"carnuta": 387, "lascaux": 20, "darwinci": 30, "sioux": 13}
"""Of games with the full kit that are shorter than most."""
UNPLUGS = 5
"""In each game."""
SOCKETS = (1, 2, 3, 4)
SLOWER = 1
"""There is no screen to be drawn, and hands wait more than they reckon."""
EVERY = 12
"""So many entries lie between one unplugging and the next."""


def whole(game: str) -> Callable[[Stage], None]:
    def scene(stage: Stage) -> None:
        _whole(stage, game)

    scene.__doc__ = (
        f"A whole game of {game.capitalize()}, by hands that touch reader, buttons and pads; five times the satellite "
        "is pulled and put into another socket."
    )
    return scene


def _whole(stage: Stage, game: str) -> None:
    title = game.capitalize()
    with stage.on(Start(kept=FULL, slower=SLOWER)) as guest:
        stage.bench.plug_satellite(guest, SOCKETS[0])
        guest.awaits("ls /dev/companion/*")
        away_s = _played(stage, guest, f"{HANDS} {game} full --seed {SEEDS[game]} --speed 50")
        over = next(line for line in reversed(stage.bench.told) if line.startswith("over")).split()
        assert over[1] == game, stage.bench.told[-3:]
        told = guest.must("companion games", USER).splitlines()[0]
        assert "won by" in told, told
        words = f"{title}: a whole game, {over[3]} entries, ended {over[2].replace(',', ' : ')}."
        stage.saw(words, line="T1")
        back_s = f"{max(away_s):.1f} s at most"
        stage.saw(
            f"{len(away_s)} times the satellite was pulled in the middle of it, and had its name again after {back_s}; "
            "the game went on.",
            line="S8",
            short=f"{title}: pulled {len(away_s)} times, named again after {back_s}.",
        )
        stage.bench.unplug_satellite(guest)


def _played(stage: Stage, guest: Guest, hands: str) -> list[float]:
    """How long it took each time until the satellite had its name again."""
    bench = stage.bench
    since = len(bench.told)
    guest.must(f"{BY_ITSELF} {hands}")
    away_s = []
    for number in range(UNPLUGS):
        _reached(bench, since, EVERY * (number + 1))
        bench.unplug_satellite(guest)
        began_s = time.monotonic()
        bench.plug_satellite(guest, SOCKETS[(number + 1) % len(SOCKETS)])
        guest.awaits("ls /dev/companion/*")
        away_s.append(time.monotonic() - began_s)
    bench.hears("over", since, PATIENCE_S)
    guest.awaits("! systemctl is-active -q hands")
    return away_s


def _reached(bench: Bench, since: int, count: int) -> None:
    """Wait until the journal has come so far, or the game is over."""
    deadline = time.monotonic() + PATIENCE_S
    while bench.reached(since) < count and not any(line.startswith("over") for line in bench.told[since:]):
        if time.monotonic() > deadline:
            raise AssertionError(f"the game does not go on: {bench.told[-3:]}")
        time.sleep(0.05)
