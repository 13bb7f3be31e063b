"""How simulated players play, as text. `python -m tests.simulation.courses` writes it to tests/data.

The same seed gives the same game, on every machine: demos, pictures and benchmarks rely on it. A change of the players'
judgement changes these files, and should be meant.
"""

from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from tests.ours import GAMES
from tests.simulation.evening import Evening

DATA = Path(__file__).parents[1] / "data"
FILE = "simulated.txt"
WAYS = (("one", 0.0), ("full", 0.0), ("full", 0.4), ("one", 0.4), ("full", 0.0))
OTHERWISE = {
    "lascaux": {"stones": "secret", "tie": "stones", "direction": "anticlockwise", "first_stone": "must"},
    "sioux": {"gift_after_swap": "riser", "last_card": "at_once", "no_deer": "other_prey", "gift_ends": "at_once"},
    "darwinci": {"minus": "floor", "run": "part", "tie": "nearest", "larger": "darwin"},
    "carnuta": {"partial_runes": True, "sickles_per_turn": 2, "flipped_pays": True, "flip": "any", "salt": "joker"},
}
"""The last game is played with other options than usual."""
CHUNK = 10


def courses(game: str) -> str:
    return "".join(
        f"{line}\n" for number, (kit, mischief) in enumerate(WAYS) for line in _course(game, number, kit, mischief)
    )


def _course(game: str, seed: int, kit: str, mischief: float) -> Iterator[str]:
    """Of every ten deeds the first, a digest of all, and how they were answered."""
    players = (3, 4, 5, 4, 5) if game != "carnuta" else (2, 4, 3, 4, 3)
    options = OTHERWISE[game] if seed == len(WAYS) - 1 else {}
    evening = Evening(game, seed, players[seed], kit, mischief, **options).play()
    yield f"===== kit {kit}, mischief {mischief}, {evening.players} players, totals {evening.totals}"
    for start in range(0, len(evening.given), CHUNK):
        deeds = [repr(each) for each in evening.given[start : start + CHUNK]]
        answers = "".join(each[0] for each in evening.answers[start : start + CHUNK])
        yield f"{crc32(' '.join(deeds).encode()):08x} {answers} {deeds[0]}"


if __name__ == "__main__":
    for each in GAMES:
        (DATA / each / FILE).write_text(courses(each), encoding="utf-8")
