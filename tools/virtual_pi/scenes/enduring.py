"""A long evening on the panel: what it costs in memory, and that a screen that comes later finds it."""

from tools.virtual_pi.machine import USER, Start
from tools.virtual_pi.scenes.installing import INSTALLED
from tools.virtual_pi.stage import PATIENCE_S, Stage

GAMES = 5
SLOWER = 2
"""Nothing has to be in time, and players at this speed wait for nobody."""
GROWTH = 1.2
"""From the end of the first game to the end of the last, at most."""


def evening(stage: Stage) -> None:
    """Five games of a match, one after the other, while the kiosk looks on: the memory of referee and screen."""
    with stage.on(Start(kept=INSTALLED, slower=SLOWER)) as guest:
        hands = stage.carry("hands.py")
        guest.must(
            f"systemd-run -q --collect --unit=hands --uid={USER} -E HOME=/home/{USER} -E XDG_RUNTIME_DIR=/run/user/1000"
            f" /opt/companion/bin/python {hands} lascaux full --signals --speed 50 --games {GAMES}"
        )
        stage.bench.hears("entry", 0, PATIENCE_S)
        guest.must(f"systemctl restart companion@{USER}")
        stage.reads("A referee for real tables", "Go on")
        stage.saw("A screen that begins while a table is being played offers to go on.", stage.keep_picture("go-on"))
        guest.key("r")
        stage.reads("Anna", "Ben", "Cleo")
        picture = stage.keep_picture("evening")
        memory_mb = []
        since = 0
        for _ in range(GAMES):
            since = stage.bench.told.index(stage.bench.hears("over", since, PATIENCE_S)) + 1
            memory_mb.append((_memory_mb(stage, "hands.py"), _memory_mb(stage, "play --kiosk")))
        (referee, screen), (referee_then, screen_then) = memory_mb[0], memory_mb[-1]
        assert referee_then < referee * GROWTH, f"the referee has grown from {referee} to {referee_then} MB"
        assert screen_then < screen * GROWTH, f"the screen has grown from {screen} to {screen_then} MB"
        entries = stage.bench.told[since - 1].split()[-1]
        stage.saw(
            f"{GAMES} games, {entries} entries: the referee has {referee_then} MB (after the first game {referee}), "
            f"the screen {screen_then} MB ({screen}).",
            picture,
            "T4",
        )


def _memory_mb(stage: Stage, words: str) -> int:
    """Of the largest process with these words on its command line, in resident pages."""
    told = stage.guest.must(f"ps -u {USER} -o rss=,args=")
    return max(int(line.split()[0]) for line in told.splitlines() if words in line) // 1024
