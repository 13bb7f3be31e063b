"""Results by hand, and what each export makes of them. `python -m tests.people.golden` writes the golden files again:
read the difference before you commit it."""

import os
import time
from pathlib import Path

from companion.messages.phone_access import ResultsWish
from companion.people.past_games import PastGame, PastSeat
from companion.people.persons import People
from companion.people.play_files import bg_stats_link, csv_text, json_text
from companion.people.result_pages import EveningResults, evening_page, evening_picture
from companion.people.statistics_pages import results_page, statistics_page

FOLDER = Path(__file__).parent / "golden"
PEOPLE = People().added("Anna", sign="★", colour="red").renamed("Anna", "Annette").added("Zoë <b>", colour='"><b>')
BEGIN = 1_794_600_000.0


def _game(number: int, game: str, *seats: PastSeat, first: int = 0, finished: bool = True) -> PastGame:
    begun = BEGIN + 86_400.0 * number
    return PastGame(f"2026-11-{13 + number}-1", number + 1, game, begun, begun + 2400, 2340.0, first, seats, finished)


def _lascaux(number: int, anna: int, ben: int) -> PastGame:
    return _game(
        number,
        "lascaux",
        PastSeat("Anna", anna, 1, True, thought_s=754.5, tallies={"Points for stones": 2, "Stones laid": 11}),
        PastSeat("Ben", ben, 2, thought_s=601.0, tallies={"Stones laid": 14}),
        first=1,
    )


PAST = (
    _lascaux(0, 18, 11),
    _lascaux(1, 20, 4),
    _game(2, "darwinci", PastSeat("Zoë <b>", -3, 2), PastSeat("=1+1", 16, 1, True), first=-1),
    _game(3, "lascaux", PastSeat("Anna", 9, 1, True), PastSeat("Ben", 9, 1, True, simulated=True)),
    _game(4, "sioux", PastSeat("Anna"), PastSeat("Ben"), PastSeat("Cleo"), finished=False),
    _lascaux(5, 27, 8),
)
EVENING = EveningResults(PAST[2:], PAST, PEOPLE)

STATISTICS = {
    "person.en": ResultsWish("en", person="Anna"),
    "person.de": ResultsWish("de", person="Anna", game="lascaux"),
    "game.en": ResultsWish("en", game="lascaux", since="2026-11-14"),
    "game.de": ResultsWish("de", game="darwinci"),
}


def exports() -> dict[str, str]:
    return {
        "plays.csv": csv_text(PAST, PEOPLE),
        "plays.json": json_text(PAST, PEOPLE),
        "evening.en.html": evening_page(EVENING),
        "evening.de.html": evening_page(EVENING, "de"),
        "results.en.html": results_page(EVENING),
        "results.de.html": results_page(EVENING, "de"),
        **{f"{name}.html": statistics_page(EVENING, wish) for name, wish in STATISTICS.items()},
        "evening.en.svg": evening_picture(EVENING),
        "evening.de.svg": evening_picture(EVENING, "de"),
        "bgstats.txt": "".join(f"{bg_stats_link(game, PEOPLE)}\n" for game in PAST if game.finished),
    }


if __name__ == "__main__":
    os.environ["TZ"] = "UTC"
    time.tzset()
    FOLDER.mkdir(exist_ok=True)
    for name, text in exports().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
