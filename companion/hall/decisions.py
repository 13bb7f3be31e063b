"""What a command adds to the hall's log, or why it is refused. Pure: a state in, events out.

Each function returns a decision, which is called with the newest state while the log is locked, so what it checks still
holds when its events are stored. What it refuses it refuses with a UsageError: an order
of a person with an OrderRefusedError, whose line can be shown in any language.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from companion.errors import UsageError
from companion.gamekit.discovery import title
from companion.hall.hall_state import (
    AnyEvent,
    BoxShared,
    BoxTaken,
    CardLinked,
    ClockSet,
    HallState,
    Night,
    NightClosed,
    NightOpened,
    NightRound,
    ResultReported,
    RoundEnded,
    RoundSeated,
    RoundStarted,
    SignedIn,
    SignedOut,
    TableJoined,
    TableRemoved,
)
from companion.hall.hall_texts import OrderRefusedError
from companion.hall.seating import SeatingReason, SeatingRequest, seat_round
from companion.hall.standings import night_standings
from companion.language.facts import N_
from companion.language.wording import listed, plain
from companion.table.pieces import parse_pack

TABLES = 10_000
"""More than any hall has."""
LATEST_MINUTES = 24 * 60
CHANGED = SeatingReason("changed")

HallDecision: TypeAlias = Callable[[HallState], Iterable[AnyEvent]]
"""What a command adds to the log. It raises CompanionError if the command is refused."""


def _open_night(state: HallState) -> Night:
    if state.night is None:
        raise OrderRefusedError(N_("No night is open. The director opens one."))
    return state.night


def _open_round(state: HallState) -> NightRound:
    newest = _open_night(state).round
    if newest is None or newest.ended_at is not None:
        raise OrderRefusedError(N_("No round is seated."))
    return newest


def spelled(name: str, known: Iterable[str]) -> str:
    """A name as this night spells it: anna is Anna."""
    names = [*known]
    return name if name in names else next((one for one in names if one.casefold() == name.casefold()), name)


def _name(text: str) -> str:
    name = plain(text)
    if not name:
        raise OrderRefusedError(N_("A player needs a name that can be shown."))
    return name


# --- Tables ---------------------------------------------------------------------------------------------------


class JoinTable:
    """A table joins the hall. `table` is its name, once it was decided. Without a credential it is a table without
    Companion: the director enters its results."""

    def __init__(self, wanted: str, credential: str = "") -> None:
        self._wanted, self._credential = plain(wanted), credential
        self.table = ""

    def decide(self, state: HallState) -> Iterable[AnyEvent]:
        if self._wanted in state.tables:
            raise OrderRefusedError(
                N_("There is a table called {table} already. Give this one another name."), table=self._wanted
            )
        numbers = (str(number) for number in range(1, TABLES))
        self.table = self._wanted or next(number for number in numbers if number not in state.tables)
        return (TableJoined(self.table, self._credential),)


def remove_table(table: str) -> HallDecision:
    def decide(state: HallState) -> Iterable[AnyEvent]:
        if table not in state.tables:
            raise OrderRefusedError(N_("There is no table {table}."), table=plain(table))
        newest = state.night.round if state.night else None
        if newest is not None and newest.ended_at is None and table in newest.seats:
            raise OrderRefusedError(N_("Table {table} has players in this round. End the round first."), table=table)
        return (TableRemoved(table),)

    return decide


# --- The night ------------------------------------------------------------------------------------------------


def open_night(plan: NightOpened) -> HallDecision:
    def decide(state: HallState) -> Iterable[AnyEvent]:
        if state.night is not None:
            raise OrderRefusedError(N_("A night is open already. Close it first."))
        _check_minutes(plan.minutes)
        return (plan,)

    return decide


def close_night(state: HallState) -> Iterable[AnyEvent]:
    _open_night(state)
    return (NightClosed(),)


def sign_in(name: str, card: str = "") -> HallDecision:
    """By name, by player card, or by both: then the card is theirs from now on."""

    def decide(state: HallState) -> Iterable[AnyEvent]:
        night = _open_night(state)
        who = spelled(plain(name) or state.cards.get(card, ""), night.players)
        if not who and not card:
            raise OrderRefusedError(N_("A player needs a name that can be shown."))
        if not who:
            raise OrderRefusedError(
                N_("The hall does not know this player card yet. Sign in by name once, with the card.")
            )
        owner = state.cards.get(card)
        if card and owner not in (None, who):
            raise OrderRefusedError(N_("This player card belongs to {player} already."), player=owner)
        if who in night.players and night.players[who].is_here:
            raise OrderRefusedError(
                N_("{player} is signed in already. If you are another {player}, sign in as “{player} B.”"), player=who
            )
        linked = (CardLinked(card, who),) if card and owner is None else ()
        return (*linked, SignedIn(_name(who)))

    return decide


def sign_out(name: str) -> HallDecision:
    def decide(state: HallState) -> Iterable[AnyEvent]:
        night = _open_night(state)
        who = spelled(plain(name), night.present)
        if who not in night.present:
            raise OrderRefusedError(N_("{player} is not signed in."), player=who or "?")
        return (SignedOut(who),)

    return decide


# --- Rounds ---------------------------------------------------------------------------------------------------


def seat_next_round(state: HallState) -> Iterable[AnyEvent]:
    """A new round; or the newest one again, if it has not started."""
    night = _open_night(state)
    number = night.next_round
    earlier = [each for each in night.rounds if each.number < number]
    if earlier and earlier[-1].ended_at is None:
        raise OrderRefusedError(N_("Round {round} is being played. End it first."), round=earlier[-1].number)
    leaders = [line.name for line in night_standings(state, night)] if night.plan.top_table else []
    request = SeatingRequest(
        night.present,
        [*state.tables],
        night.plan.sizes,
        [[*each.seats.values()] for each in earlier],
        Counter(name for each in earlier for name in each.byes),
        leaders,
        night.number,
    )
    seating = seat_round(request)
    return (RoundSeated(number, seating.seats, seating.byes, seating.reasons),)


def swap_players(one: str, other: str) -> HallDecision:
    """Two players change places, or one takes the bye of the other."""

    def decide(state: HallState) -> Iterable[AnyEvent]:
        newest = _open_round(state)
        if newest.started_at is not None:
            raise OrderRefusedError(N_("Round {round} has started, so its seating stays."), round=newest.number)
        here = [name for names in (*newest.seats.values(), newest.byes) for name in names]
        first, second = spelled(one, here), spelled(other, here)
        for name in (first, second):
            if not name:
                raise OrderRefusedError(N_("A swap needs two names: swap Anna, Ben"))
            if name not in here:
                raise OrderRefusedError(
                    N_("{player} is not in round {round}."), player=plain(name), round=newest.number
                )
        swapped = {first: second, second: first}
        seats = {table: tuple(swapped.get(name, name) for name in names) for table, names in newest.seats.items()}
        byes = tuple(swapped.get(name, name) for name in newest.byes)
        changed = {table: CHANGED for table, names in seats.items() if names != newest.seats[table]}
        return (RoundSeated(newest.number, seats, byes, newest.reasons | changed),)

    return decide


def _check_minutes(minutes: float) -> None:
    if not 0 < minutes <= LATEST_MINUTES:
        raise OrderRefusedError(
            N_("A round takes 1 to {most} minutes, not {minutes}."), most=LATEST_MINUTES, minutes=f"{minutes:g}"
        )


def start_round(now: float) -> HallDecision:
    def decide(state: HallState) -> Iterable[AnyEvent]:
        newest = _open_round(state)
        if newest.started_at is not None:
            raise OrderRefusedError(N_("Round {round} has started already."), round=newest.number)
        return (RoundStarted(now + 60 * _open_night(state).plan.minutes),)

    return decide


def set_clock(now: float, minutes: float) -> HallDecision:
    """So many minutes are left."""

    def decide(state: HallState) -> Iterable[AnyEvent]:
        _check_minutes(minutes)
        if _open_round(state).started_at is None:
            raise OrderRefusedError(N_("The round has not started. Start it first."))
        return (ClockSet(now + 60 * minutes),)

    return decide


def end_round(state: HallState) -> Iterable[AnyEvent]:
    if _open_round(state).started_at is None:
        raise OrderRefusedError(N_("The round has not started. Start it first."))
    return (RoundEnded(),)


# --- Results --------------------------------------------------------------------------------------------------


def report_result(result: ResultReported) -> HallDecision:
    """A result counts once: an older revision, or the same again, adds nothing."""

    def decide(state: HallState) -> Iterable[AnyEvent]:
        known = state.results.get(result.key)
        if known is not None and known.revision >= result.revision:
            return ()
        _check_result(state, result)
        return (result,)

    return decide


def _check_result(state: HallState, result: ResultReported) -> None:
    if not 0 < result.night <= len(state.nights):
        raise UsageError(f"this hall had no night {result.night}")
    rounds = [each for each in state.nights[result.night - 1].rounds if each.number == result.round]
    names = tuple(seat.name for seat in result.seats)
    if not rounds or result.table not in rounds[0].seats:
        raise UsageError(f"table {result.table} had no players in round {result.round} of night {result.night}")
    seated = rounds[0].seats[result.table]
    if sorted(seated) != sorted(names):
        raise UsageError(
            f"the hall seated {listed(list(seated))} at table {result.table} in round {result.round}, "
            f"and this game was played by {listed(list(names))}"
        )
    if not names or min(seat.rank for seat in result.seats) != 1:
        raise UsageError("a result needs its players' ranks, from 1")


# --- Boxes ----------------------------------------------------------------------------------------------------


class ShareBox:
    """A box works at every table from now on. One that has a tag of a known box is that box, and keeps its name: `name`
    is known once it was decided."""

    def __init__(self, game: str, printed: str, tags: str) -> None:
        self._game, self._printed, self._tags = game, printed, tags
        self._uids = parse_pack(tags, "this box").tags.keys()  # raises PackError
        self.name = ""

    def decide(self, state: HallState) -> Iterable[AnyEvent]:
        if self._game != plain(self._game):  # its name is shown on terminals, with that of the box
            raise UsageError("this box belongs to a game whose name cannot be shown")
        if not self._uids:
            raise UsageError("this box has no tags, so other tables cannot recognise it")
        ours = [box for box in state.boxes.values() if box.game == self._game]
        known = [box for box in ours if self._uids & parse_pack(box.tags, box.name).tags.keys()]
        self.name = known[0].name if known else f"{title(self._game)} {len(ours) + 1}"
        if known and (known[0].printed, known[0].tags) == (self._printed, self._tags):
            return ()
        return (BoxShared(self._game, self.name, self._printed, self._tags),)


def take_box(game: str, box: str, table: str) -> HallDecision:
    """A table uses this box now. If another one does, that is refused: it names that table."""

    def decide(state: HallState) -> Iterable[AnyEvent]:
        known = state.boxes.get((game, box))
        if known is None:
            raise UsageError(f"the hall knows no box {plain(box)} of {plain(game)}")
        if known.table not in ("", table):
            raise OrderRefusedError(N_("The box {box} is in use at table {table}."), box=box, table=known.table)
        return () if known.table == table else (BoxTaken(game, box, table),)

    return decide


def free_boxes(state: HallState, game: str, table: str) -> Sequence[str]:
    """The boxes of a game that this table may use: its own first."""
    found = [box for box in state.boxes.values() if box.game == game and box.table in ("", table)]
    return [box.name for box in sorted(found, key=lambda box: box.table != table)]
