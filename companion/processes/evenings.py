"""The evenings on this computer: starting one, finding one, and where its referee listens."""

import hashlib
import os
import random
import secrets
import tempfile
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.config import find_table
from companion.errors import LinkError, UsageError
from companion.gamekit.game import Game
from companion.gamekit.game_start import Header, begin, check
from companion.gamekit.parts import seat_players
from companion.home.box_files import find_box
from companion.home.paths import evenings_folder, home, sockets_folder
from companion.home.table_clock import TableClock, newest_known
from companion.journal import evening_folder
from companion.journal.store import PHONES, SUFFIX, Journal
from companion.language.wording import listed, plain
from companion.messages.lobby import GamePlan
from companion.referee.link import answers, make_private
from companion.session.entry import Entry
from companion.session.evening import Evening, game_body
from companion.session.public_snapshot import seen
from companion.stations import PADS, Kit, ReaderKit

TRANSCRIPT = ".jsonl"
"""How the file of a transcript ends."""

# --- Starting an evening --------------------------------------------------------------------------------------


def begin_evening(plan: GamePlan) -> Path:
    """Check the plan, and write it as the first entry of a new journal. Raises UsageError, BoxError, ConfigError,
    JournalError."""
    return new_evening(first_entry(plan))


def first_entry(plan: GamePlan) -> bytes:
    """Check the plan and fill in what it leaves open: the body of an evening's first entry. Nothing is written yet.
    Raises UsageError, BoxError, ConfigError."""
    players = checked_names(plan.players)
    header = Header(plan.game, players, plan.first, plan.options)
    game = check(header)
    kit = plan.kit or _wired_kit() or simulated_kit(len(players))
    if kit == "full" and len(players) > len(PADS):
        raise UsageError(
            f"kit full has {len(PADS)} pads for {len(players)} players: with `--kit one` they share a reader"
        )
    real = bool(plan.simulated) and (plan.real or kit == "none")
    if real:
        _check_real(game, plan)
    found = find_box(game, plan.box)
    begin(header, found.box)  # a game that cannot start is not written down
    stack = random.randrange(2**32) if plan.seed is None else plan.seed
    key = "" if not plan.simulated else secrets.token_hex(32) if plan.seed is None else _key_of(plan.seed)
    body = game_body(
        header, found.text, plan.simulated, kit, stack, levels=plan.levels, deals=plan.deals, real=real, key=key
    )
    if real and kit == "none" and _begins_face_down(body):
        raise UsageError(f"{game.name}: a bot's first card is read face down, so this needs a reader (--kit one)")
    return body


def _begins_face_down(body: bytes) -> bool:
    """Whether players begin with a card that was dealt face down, and of which only they know which it is."""
    evening = Evening([Entry(1, 0.0, "game", "", "", body)])
    legal = evening.game.legal(evening.state)
    players = seat_players(evening.game.name, 0, frozenset(range(evening.setup.players)), "full")
    plan = players.plan(seen(evening, "", "none", evening.state))
    return plan is not None and not plan.decides and any(evening.game.conceals(each) is not None for each in legal)


def _check_real(game: Game[Any, Any], plan: GamePlan) -> None:
    """Raises UsageError where bots cannot play with real pieces."""
    if plan.deals:
        raise UsageError("where Companion deals there are no real pieces: leave out --deal, or --simulated")
    if len(plan.simulated) == len(plan.players):
        raise UsageError("bots with real pieces need a person whose hands move them")
    if game.face_down is not None or hasattr(seat_players(game.name, 0, frozenset(), "full"), "held"):
        raise UsageError(
            f"{game.name}: a bot cannot hold real cards that nobody else sees; with simulated pads it can "
            "(leave out --kit none and --real-pieces)"
        )


def _key_of(seed: int) -> str:
    """The same seed plays the same game, commitments included."""
    return hashlib.sha256(f"{seed}/commitments".encode()).hexdigest()


def checked_names(names: Iterable[str]) -> tuple[str, ...]:
    """Names that can be shown, each different from the others, also when they are said aloud. Raises UsageError."""
    cleaned = tuple(plain(name) for name in names)
    said = [name.casefold() for name in cleaned]
    for name in cleaned:
        if not name:
            raise UsageError("a player needs a name that can be shown")
        if said.count(name.casefold()) > 1:
            raise UsageError(f"two players are called {name}: give each player a different name")
    return cleaned


def simulated_kit(players: int) -> ReaderKit:
    """A pad for each player, or one shared reader if there are more players than pads."""
    return "full" if players <= len(PADS) else "one"


def _wired_kit() -> Kit | None:
    """The devices in table.toml. None: there are none, so the pads are simulated. Raises ConfigError."""
    kit = find_table(home()).kit
    return None if kit == "none" else kit


def new_evening(body: bytes) -> Path:
    """Create a journal with this first entry. Raises JournalError."""
    now = datetime.fromtimestamp(table_clock().now()).astimezone()
    with Journal.create(evenings_folder(), date=now.date()) as journal:
        journal.append("game", body, "", "", now.timestamp())
    codes_of(journal.path).unlink(missing_ok=True)  # of an evening of this name that was deleted by hand
    return journal.path


def table_clock(*also: Path) -> TableClock:
    """A clock that never falls behind the newest entry of any evening, or of these journals, even if the computer's own
    clock is not set. Not while this process has one of them open."""
    folder = evenings_folder()
    return TableClock(max(newest_known(folder), evening_folder.newest_at(folder, *also)))


# --- Finding an evening ---------------------------------------------------------------------------------------

MOST_NAMED = 5
"""How many evenings that wait for their game are named; the rest are counted."""


def find_evening(named: str | None, *, unfinished: bool = False) -> Path:
    """The journal of an evening, by its id or its path. If none was named: the newest unfinished one, or the newest
    that can be read."""
    folder = evenings_folder()
    if named is not None:
        path = Path(named)
        if _is_file(path):
            return path
        if named.endswith(TRANSCRIPT) or ("/" in named and path.parent != folder):
            raise UsageError(f"{named}: this file is missing")
        return evening_folder.find(folder, named)
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
    """Which evenings wait for their game, newest first, and what the newest one needs; "" if none waits."""
    waiting = [evening for evening in evenings if evening.standing == "waiting"]
    if not waiting:
        return ""
    named = [f"{plain(evening.id, 60)} ({plain(evening.game, 60)})" for evening in waiting[:MOST_NAMED]]
    more = [f"{len(waiting) - MOST_NAMED} more"] if len(waiting) > MOST_NAMED else []
    count = "1 evening waits for its game" if len(waiting) == 1 else f"{len(waiting)} evenings wait for their games"
    return f"{count}: {listed([*named, *more])}. The newest: {waiting[0].problem}"


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long for a file
        return False


def running_evening() -> Path:
    """The evening whose referee is running. Raises LinkError if there is none, or more than one."""
    running = [path for path in evenings_folder().glob(f"*{SUFFIX}") if answers(socket_of(path))]
    if not running:
        raise LinkError("no referee is running; `companion play` starts an evening, `companion resume` resumes one")
    if len(running) > 1:
        raise LinkError(f"several referees are running, name one: {', '.join(sorted(path.stem for path in running))}")
    return running[0]


def people_of(path: Path) -> dict[int, str]:
    """The persons of this evening, clockwise: the seat that each had in its first game → their name. The computer needs
    no phone. Empty if it cannot be read."""
    found = [evening for evening in evening_folder.evenings(path.parent) if evening.path == path]
    return {
        person: plain(name)
        for each in found
        for seat, (person, name) in enumerate(zip(each.people, each.players, strict=True))
        if seat not in each.simulated
    }


def codes_of(path: Path) -> Path:
    """The file with the codes by which phones join this evening."""
    return path.with_name(path.name + PHONES)


def socket_of(path: Path) -> Path:
    """Where the referee of this evening listens. A socket's path has to be short, and this one is private to the
    user."""
    return runtime_folder() / f"{hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:12]}.sock"


def runtime_folder() -> Path:
    """The system's runtime folder, else one of ours in /tmp, else (if another user has that) one in our home."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime:
        return Path(runtime) / "companion"
    shared = Path(tempfile.gettempdir()) / f"companion-{os.getuid()}"
    try:
        make_private(shared)
    except (LinkError, OSError):
        return sockets_folder()
    return shared
