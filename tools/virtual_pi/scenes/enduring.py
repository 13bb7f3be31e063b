"""A long evening on the panel: what it costs in memory, and that a screen that comes later finds it."""

from collections.abc import Iterator

from tools.virtual_pi.machine import USER, Start
from tools.virtual_pi.scenes.installing import BY_ITSELF, HANDS, INSTALLED
from tools.virtual_pi.stage import PATIENCE_S, Stage

GAMES, FEWEST = 6, 3
"""Of the match, and how many of them the screen has to see the end of."""
SCREEN = "python3 /opt/companion/bin/companion play --kiosk"
SLOWER = 2
"""Nothing has to be in time, and players at this speed do not wait."""
SPEED = 200
"""So fast that the screen is kept busy all the time."""
WARM, GROWTH = 1, 1.05
"""From the end of the second game to the end of the last it may grow by so much, at most: with the second everything
that is kept for the next time is there, and a leak of a page for every entry would be more."""


def evening(stage: Stage) -> None:
    """Six games of a match, one after the other, while the kiosk looks on: the memory of referee and screen."""
    with stage.on(Start(kept=INSTALLED, slower=SLOWER)) as guest:
        guest.must(f"{BY_ITSELF} {HANDS} lascaux full --signals --speed {SPEED} --games {GAMES}")
        stage.bench.hears("entry", 0, PATIENCE_S)
        guest.must(f"systemctl kill -s STOP hands && systemctl restart companion@{USER}")
        stage.reads("A referee for real tables", "Resume: Lascaux with Anna, Ben and Cleo")
        stage.at_rest()
        stage.saw("A screen that begins while a table is being played offers to go on.", stage.keep_picture("go-on"))
        guest.must("systemctl kill -s CONT hands")  # or half of the match would be over before the screen looks on
        guest.key("r")
        stage.reads("round", "deck", "pot", "Cleo")
        picture = stage.keep_picture("evening")
        memory_mb = list(_after_each_game(stage))
        assert len(memory_mb) >= FEWEST, f"the screen has seen the end of only {len(memory_mb)} games"
        (referee, screen), (referee_then, screen_then) = memory_mb[WARM], memory_mb[-1]
        assert referee_then < referee * GROWTH, f"the referee has grown from {referee:.1f} to {referee_then:.1f} MB"
        assert screen_then < screen * GROWTH, f"the screen has grown from {screen:.1f} to {screen_then:.1f} MB"
        stage.saw(
            f"{GAMES} games with {stage.bench.reached()} entries; the screen saw {len(memory_mb)} of the games end. "
            f"From the second to the last of these the referee went from {referee:.1f} to {referee_then:.1f} MB, the "
            f"screen from {screen:.1f} to {screen_then:.1f} MB; {GROWTH - 1:.0%} would be a failure.",
            picture,
            "T4",
        )


def _after_each_game(stage: Stage) -> Iterator[tuple[float, float]]:
    """Memory of referee and screen, from now on. With the last game the referee goes home."""
    told = stage.bench.told
    since = len(told)
    while sum(line.startswith("over") for line in told[:since]) < GAMES - 1:
        since = told.index(stage.bench.hears("over", since, PATIENCE_S)) + 1
        yield _memory_mb(stage, "hands.py"), _memory_mb(stage, SCREEN)


def _memory_mb(stage: Stage, words: str) -> float:
    """Of the largest process with these words on its command line, in resident pages."""
    told = stage.guest.must(f"ps -u {USER} -o rss=,args=")
    return max(int(line.split()[0]) for line in told.splitlines() if words in line) / 1024
