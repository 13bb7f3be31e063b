"""Evenings: beginning one, finding one, taking one up again."""

import hashlib
import os
import random
import tempfile
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.config import find_table
from companion.errors import LinkError, UsageError
from companion.gamekit import discovery
from companion.gamekit.game import Game, Seat
from companion.gamekit.game_start import Header, begin, check, usual_names
from companion.gamekit.search import skill_of
from companion.home.box_files import find_box
from companion.home.paths import evenings_folder, home, sockets_folder
from companion.home.table_clock import TableClock, newest_known
from companion.journal import evening_folder
from companion.journal.store import PHONES, SUFFIX, Journal
from companion.language.wording import plain
from companion.referee.link import answers, make_private
from companion.session.evening import game_body
from companion.stations import PADS, Kit, ReaderKit


class Plan(Struct, frozen=True):
    """What was said on the command line about an evening that begins."""

    game: str
    players: tuple[str, ...] = ()
    simulated: tuple[str, ...] | None = None
    first: str | None = None
    options: dict[str, Any] = {}
    box: Path | None = None
    kit: Kit | None = None
    seed: int | None = None
    """How the simulated stack is shuffled; None: by chance."""


# --- Beginning an evening -------------------------------------------------------------------------------------


class Agreed(Struct, frozen=True):
    """All that an evening begins with, checked."""

    header: Header
    box_text: str
    simulated: tuple[Seat, ...]
    kit: Kit
    stack: int
    levels: dict[Seat, str] = {}
    """How well simulated players play, where that was said."""

    def body(self) -> bytes:
        return game_body(self.header, self.box_text, self.simulated, self.kit, self.stack, levels=self.levels)


def agree(plan: Plan) -> Agreed:
    """Agree on everything; nothing is written down yet. Raises UsageError, BoxError, ConfigError."""
    game = discovery.find(plan.game)
    plan, said = with_levels(plan)
    players, simulated = seat_players(game, plan)
    header = Header(game.name, players, _seat_of(plan.first, players) if plan.first else 0, plan.options)
    check(header)
    kit = plan.kit or _kit_found() or simulated_kit(len(players))
    if kit == "full" and len(players) > len(PADS):
        raise UsageError(
            f"kit full has {len(PADS)} pads for {len(players)} players: with `--kit one` they share a reader"
        )
    if kit == "none" and simulated:
        raise UsageError("simulated players need simulated pads: leave out --kit none, or --simulated")
    found = find_box(game, plan.box)
    begin(header, found.box)
    stack = random.randrange(2**32) if plan.seed is None else plan.seed
    levels = {_seat_of(name, players): level for name, level in said.items()}
    return Agreed(header, found.text, simulated, kit, stack, levels)


def with_levels(plan: Plan) -> tuple[Plan, dict[str, str]]:
    """Ben:strong is Ben, who plays "strong"; Ben:easy:bold plays "easy:bold". A name may have a colon itself."""
    names, levels = list[str](), dict[str, str]()
    for said in plan.simulated or ():
        name, _, level = said.partition(":")
        if skill_of(level):
            levels[name] = level
        names.append(name if skill_of(level) else said)
    return (replace(plan, simulated=tuple(names)) if levels else plan), levels


def simulated_kit(players: int) -> ReaderKit:
    """A pad for everybody, unless there are more people than pads."""
    return "full" if players <= len(PADS) else "one"


def _kit_found() -> Kit | None:
    """What is wired to this table; None: nothing, so its pads are simulated. Raises ConfigError."""
    kit = find_table(home()).kit
    return None if kit == "none" else kit


def begin_evening(plan: Plan) -> Path:
    """Agree on everything, and write it down. Raises UsageError, BoxError, JournalError."""
    return write_down(agree(plan))


def write_down(agreed: Agreed) -> Path:
    """What was agreed on is the first entry of a new journal."""
    now = datetime.fromtimestamp(table_clock().now()).astimezone()
    with Journal.create(evenings_folder(), date=now.date()) as journal:
        journal.append("game", agreed.body(), "", "", now.timestamp())
    codes_of(journal.path).unlink(missing_ok=True)  # of an evening of this name that was deleted by hand
    return journal.path


def table_clock(*also: Path) -> TableClock:
    """Dates what is written down, even where the computer's own clock is not set: from the newest entry of any evening
    on, or of these journals. Not while this process has one of them open."""
    folder = evenings_folder()
    return TableClock(max(newest_known(folder), evening_folder.newest_at(folder, *also)))


def seat_players(game: Game[Any, Any], plan: Plan) -> tuple[tuple[str, ...], tuple[Seat, ...]]:
    """Who sits there, and which seats the computer plays. Nobody named: one person against simulated neighbours, or
    people only if there are no readers."""
    players, simulated = _clean(plan.players), _clean(plan.simulated or ())
    if not players:
        if plan.simulated is None and plan.kit != "none":
            simulated = usual_names(game.players[0])[1:]
        persons = [name for name in usual_names(game.players[0] + len(simulated)) if name not in simulated]
        players = (*persons[: max(1, game.players[0] - len(simulated))], *simulated)
    return players, tuple(_seat_of(name, players) for name in simulated)


def _clean(names: tuple[str, ...]) -> tuple[str, ...]:
    cleaned = tuple(plain(name) for name in names)
    for name in cleaned:
        if not name:
            raise UsageError("a player needs a name that can be shown")
        if cleaned.count(name) > 1:
            raise UsageError(f"two players are called {name}: give each player a different name")
    return cleaned


def _seat_of(name: str, players: tuple[str, ...]) -> Seat:
    if plain(name) not in players:
        raise UsageError(f"{plain(name)} is not at the table; the players are {', '.join(players)}")
    return players.index(plain(name))


# --- Finding an evening ---------------------------------------------------------------------------------------


def find_evening(named: str | None, *, unfinished: bool = False) -> Path:
    """The journal of an evening: by its id or its path; if none was named, the newest that is unfinished, or sound."""
    folder = evenings_folder()
    if named is not None:
        return Path(named) if _is_file(Path(named)) else evening_folder.find(folder, named)
    if not unfinished:
        return _newest_sound(folder)
    found = evening_folder.latest_open(folder)
    if found is None:
        waiting = _waiting(evening_folder.evenings(folder))
        raise UsageError(waiting or "there is no evening to resume; `companion play` starts one")
    return found.path


def _newest_sound(folder: Path) -> Path:
    evenings = evening_folder.evenings(folder)
    for evening in evenings:
        if evening.standing in ("open", "finished"):
            return evening.path
    if waiting := _waiting(evenings):
        raise UsageError(waiting)
    if any(evening.problem for evening in evenings):
        raise UsageError("every evening is damaged; name one from `companion games` to export what is left of it")
    raise UsageError("no evening has been played yet; `companion play` starts one")


def _waiting(evenings: Iterable[evening_folder.Summary]) -> str:
    """What the newest evening that waits for its game needs; "" if none does."""
    return next((evening.problem for evening in evenings if evening.standing == "waiting"), "")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long for a file
        return False


def running_evening() -> Path:
    """The one that is being played. Raises LinkError."""
    running = [path for path in evenings_folder().glob(f"*{SUFFIX}") if answers(socket_of(path))]
    if not running:
        raise LinkError("no referee is running; `companion play` starts an evening, `companion resume` resumes one")
    if len(running) > 1:
        raise LinkError(f"several referees are running, name one: {', '.join(sorted(path.stem for path in running))}")
    return running[0]


def people_of(path: Path) -> dict[int, str]:
    """Who plays this evening, clockwise: the seat that each had in its first game → their name. Nobody, if it cannot be
    read."""
    found = [evening for evening in evening_folder.evenings(path.parent) if evening.path == path]
    return {person: plain(name) for each in found for person, name in zip(each.people, each.players, strict=True)}


def codes_of(path: Path) -> Path:
    """What phones come to this evening with."""
    return path.with_name(path.name + PHONES)


def socket_of(path: Path) -> Path:
    """Where the referee of this evening listens. Short, because a socket's path must be; private to this user."""
    return runtime_folder() / f"{hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:12]}.sock"


def runtime_folder() -> Path:
    """The system's folder for such things, one of ours in /tmp, or if somebody has taken that, one at home."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime:
        return Path(runtime) / "companion"
    shared = Path(tempfile.gettempdir()) / f"companion-{os.getuid()}"
    try:
        make_private(shared)
    except (LinkError, OSError):
        return sockets_folder()
    return shared
