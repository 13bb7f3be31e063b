"""What each release has written: evenings, ledgers, boxes, tags, people and a hall, to be opened by every later one.

`python -m tests.data.releases` writes the folder of the version that it runs with, once; it is never changed again.
"""

import asyncio
import json
import shutil
from collections.abc import Iterator
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

from companion import __version__
from companion.gamekit import discovery
from companion.hall.decisions import JoinTable
from companion.hall.director_orders import answer_line
from companion.hall.hall import Hall
from companion.hall.hall_store import HallStore
from companion.home.tag_packs import new_token, store_pack
from companion.journal.evening_folder import summary
from companion.journal.store import COMPANIONS, SUFFIX, Journal
from companion.messages.intentions import Act
from companion.people.past_games import PastGame, PastSeat, store_earlier
from companion.people.persons import change_people
from companion.processes.evenings import first_entry
from companion.processes.referee_process import seat_pads_of, simulated_table
from companion.processes.simulation_settings import SimulationSettings
from companion.referee.referee import Referee
from companion.session.evening import Evening
from companion.session.transcript_export import transcript
from companion.table.pieces import Pack
from companion.verbs.demo import demo_plan
from tests.ours import GAMES

FOLDER = Path(__file__).parent
EXPECTED = "expected.json"
STOPPED_AFTER = 12
"""How many deeds of the simulated players an evening lasts that was not finished."""
SEED = 5
CLUB_NIGHT = ("open lascaux", "in Anna, Ben, Cleo", "seat", "start", "result 1: 30 20 10", "end")
LINK = "http://10.42.0.1:8137"


def written(folder: Path) -> None:
    """All of it. Raises FileExistsError rather than change what a release has written."""
    folder.mkdir()
    expected: dict[str, Any] = {}
    for game in GAMES:
        for deeds in (None, STOPPED_AFTER):
            evening, path = _played(game, folder / "evenings", deeds)
            expected[path.stem] = _told(evening, path)
        evening, path = _played(game, folder / "evenings", STOPPED_AFTER, cut=True)
        expected[path.stem] = _told(evening, path)
        (folder / "boxes").mkdir(exist_ok=True)
        (folder / "boxes" / f"{game}.toml").write_text(discovery.find(game).standin(), encoding="utf-8")
        store_pack(folder / "tags" / f"{game}.toml", _pack(game))
    write_people(folder)
    asyncio.run(write_hall(folder / "hall" / "hall.sqlite"))
    (folder / EXPECTED).write_text(json.dumps(expected, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _played(game: str, folder: Path, deeds: int | None, *, cut: bool = False) -> tuple[Evening, Path]:
    """An evening of simulated players. `cut`: its files are left as they are when the power fails."""
    clock = count(1_800_000_000.0, 0.5)
    beside = folder.parent / "running"
    journal = Journal.create(beside if cut else folder, date=date(2027, 1, 1 + GAMES.index(game)))
    entry = first_entry(demo_plan(game, None, None, {}))
    evening = Evening([journal.append("game", entry, "", "", next(clock))])
    _play(Referee(journal, evening, seat_pads_of(evening)), evening, deeds, clock)
    path = journal.path
    if cut:
        name = f"{path.stem.rpartition('-')[0]}-9"
        for ending in ("", *COMPANIONS):
            if ending == "-shm":  # SQLite keeps nothing there that has to last
                continue
            if (file := path.with_name(path.name + ending)).exists():
                shutil.copy(file, folder / f"{name}{SUFFIX}{ending}")
        path = folder / f"{name}{SUFFIX}"
    journal.close()
    shutil.rmtree(beside, ignore_errors=True)
    return evening, path


def _play(referee: Referee, evening: Evening, deeds: int | None, clock: Iterator[float]) -> None:
    """So many deeds of simulated players, or to the end."""
    table = simulated_table(evening, seat_pads_of(evening), SimulationSettings(seed=SEED))
    at_ms, done = 0, 0
    while (deeds is None or done < deeds) and (deed := table.next(referee.snapshot(), at_ms)):
        for wait_ms, given in deed.steps:
            at_ms += wait_ms
            at_s = next(clock)
            if isinstance(given, Act):
                referee.heed(given, at_s)
            else:
                referee.hear(given, at_s)
        done += 1


def _told(evening: Evening, path: Path) -> dict[str, Any]:
    found = summary(path)
    return {
        "game": evening.game.name,
        "standing": found.standing,
        "actions": found.actions,
        "totals": found.result and list(found.result.totals),
        "winners": found.result and list(found.result.winners),
        "transcript": transcript(evening).splitlines(),
    }


def write_people(folder: Path) -> None:
    """Who plays here, two of them under one name, and a play from another program."""
    change_people(
        folder / "people.toml",
        lambda people: (
            people.added("Anna", colour="red", language="de").added("Ben").added("Benny").merged("Benny", "Ben")
        ),
    )
    seats = (PastSeat("Anna", 7, won=True), PastSeat("Ben", 5, rank=2))
    play = PastGame("imported-1", 1, "lascaux", 1_700_000_000.0, 1_700_003_600.0, 3600.0, 0, seats)
    store_earlier(folder / "earlier-plays.json", [play])


async def write_hall(path: Path) -> None:
    """A club night: a round of three, and its result."""
    path.parent.mkdir()
    store = HallStore(str(path))
    hall = Hall(store, lambda: 1_800_000_000.0)
    await hall.open("Tuesdays")
    running = asyncio.create_task(hall.run())
    await hall.change(JoinTable("1").decide)
    for line in CLUB_NIGHT:
        await answer_line(hall, line)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    store.close()


def _pack(game: str) -> Pack:
    """A sticker for every piece of the box, with a token and a link on those of one game."""
    rules = discovery.find(game)
    box = rules.parse_box(rules.standin(), game)
    first = GAMES.index(game)
    tags = {f"04{first:02X}{number:010X}": piece for number, piece in enumerate(sorted(rules.pieces(box), key=str))}
    return Pack(tags, {uid: new_token() for uid in tags}, LINK) if first == 0 else Pack(tags)


def releases() -> Iterator[Path]:
    yield from sorted(path for path in FOLDER.iterdir() if (path / EXPECTED).is_file())


def this_one() -> Path:
    return FOLDER / __version__
