"""What a director can order, by a form of the page or a line on the terminal, and what the terminal answers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TypeAlias

from companion.errors import UsageError
from companion.gamekit import discovery
from companion.gamekit.game_start import read_options
from companion.gamekit.table_options import typed_option
from companion.hall import decisions
from companion.hall.decisions import HallDecision
from companion.hall.hall import Hall
from companion.hall.hall_pages import clock_line
from companion.hall.hall_state import (
    USUAL_MINUTES,
    BoxShared,
    ClockSet,
    HallState,
    LogEntry,
    Night,
    NightClosed,
    NightOpened,
    NightRound,
    ReportedSeat,
    ResultReported,
    RoundEnded,
    RoundSeated,
    RoundStarted,
    SignedIn,
    SignedOut,
    TableJoined,
    TableRemoved,
)
from companion.hall.hall_texts import OrderRefusedError, note_line, points_text, reason_line
from companion.hall.standings import counted_results, night_standings
from companion.language.facts import N_
from companion.language.wording import ENGLISH, listed, plain
from companion.people.persons import People

REFUSAL_LENGTH = 300

Form: TypeAlias = Mapping[str, Sequence[str]]


def _field(form: Form, name: str) -> str:
    return form[name][0] if form.get(name) else ""


def _number(text: str) -> int:
    try:
        return int(text.strip())
    except ValueError:
        raise OrderRefusedError(N_("{typed} is not a whole number."), typed=f"“{plain(text, 20)}”") from None


# --- Orders ---------------------------------------------------------------------------------------------------


def _open(form: Form, _now: float) -> HallDecision:
    game = discovery.find(_field(form, "game"))
    options = dict(typed_option(word) for text in form.get("option", ()) for word in text.split())
    read_options(game, options)  # no table could begin with an option that is unknown
    return decisions.open_night(
        NightOpened(
            game.name,
            options,
            (game.players[0], game.players[-1]),
            minutes=_number(_field(form, "minutes") or str(USUAL_MINUTES)),
            top_table=bool(_field(form, "top_table")),
            plain_points=bool(_field(form, "plain_points")),
        )
    )


def _result(form: Form, now: float) -> HallDecision:
    table, scores = _field(form, "table"), [_number(text) for text in form.get("score", ())]
    return lambda state: decisions.report_result(_entered(state, table, scores, now))(state)


def _entered(state: HallState, table: str, scores: Sequence[int], now: float) -> ResultReported:
    """The points of a table, entered by hand, in the order of its seats. It is newer than what was entered before."""
    night = state.night
    newest = night.round if night else None
    if night is None or newest is None or table not in newest.seats:
        raise OrderRefusedError(N_("No one plays at table {table} in this round."), table=plain(table))
    names = newest.seats[table]
    if len(scores) != len(names):
        raise OrderRefusedError(
            N_("Table {table} needs {count} numbers: the points of {players}."),
            table=table,
            count=len(names),
            players=names,
        )
    lowest_wins = discovery.find(night.plan.game).lowest_wins
    better = [-score if lowest_wins else score for score in scores]
    ranks = [1 + sum(other > one for other in better) for one in better]
    seats = tuple(ReportedSeat(*seat) for seat in zip(names, scores, ranks, strict=True))
    key = sha256(f"director {state.club_id} {night.number} {newest.number} {table}".encode()).hexdigest()
    revision = state.results[key].revision + 1 if key in state.results else 1
    facts = (table, night.number, newest.number, night.plan.game, now, seats)
    return ResultReported(key, revision, *facts, lowest_wins=lowest_wins, by_director=True)


ORDERS: dict[str, Callable[[Form, float], HallDecision]] = {
    "open": _open,
    "close": lambda _form, _now: decisions.close_night,
    "sign-in": lambda form, _now: decisions.sign_in(_field(form, "name"), _field(form, "card")),
    "sign-out": lambda form, _now: decisions.sign_out(_field(form, "name")),
    "seat": lambda _form, _now: decisions.seat_next_round,
    "swap": lambda form, _now: decisions.swap_players(_field(form, "one"), _field(form, "other")),
    "start": lambda _form, now: decisions.start_round(now),
    "clock": lambda form, now: decisions.set_clock(now, _number(_field(form, "minutes"))),
    "end": lambda _form, _now: decisions.end_round,
    "result": _result,
    "add-table": lambda form, _now: decisions.JoinTable(_field(form, "table")).decide,
    "remove-table": lambda form, _now: decisions.remove_table(_field(form, "table")),
}


def form_decision(order: str, form: Form, now: float) -> HallDecision:
    """What the director's form asks for. Raises UsageError."""
    if order not in ORDERS:
        raise UsageError(f"there is no order {plain(order, 20)}")
    return ORDERS[order](form, now)


# --- The terminal ---------------------------------------------------------------------------------------------

LINES = {
    "in NAME": "sign in a player (several: in Anna, Ben, Cleo)",
    "out NAME": "a player goes home",
    "seat": "seat the next round, or this one again",
    "swap NAME, NAME": "two players change places",
    "start": "start the round's clock",
    "clock MINUTES": "so many minutes are left",
    "result TABLE: POINTS …": "enter a table's points by hand, in the order of its seats",
    "end": "end the round",
    "standings": "who leads",
    "tables": "which tables have joined",
    "code": "the code with which phones sign in",
    "open [GAME]": "open a night; OPTION=VALUE behind it is a table option of the game",
    "close": "close the night",
}
HELP = "\n".join(f"  {line:<24} {about}" for line, about in LINES.items())


async def answer_line(hall: Hall, line: str, card: str = "") -> str:
    """Do what the director typed, and say what came of it. `card`: an unknown player card on the reader; it belongs to
    the next person who signs in. Raises CompanionError."""
    typed, _, rest = line.strip().partition(" ")
    word = typed.lower()
    names = [name.strip() for name in rest.split(",") if name.strip()]
    match word:
        case "":
            return status(hall)
        case "standings":
            return standings_text(hall.state)
        case "tables":
            return "\n".join(_table_lines(hall)) or "No table has joined yet."
        case "in" | "out":
            return await _sign(hall, "sign-in" if word == "in" else "sign-out", names or [""], card)
        case "swap":
            await _order(hall, word, {"one": names[:1], "other": names[1:2]})
        case "clock":
            await _order(hall, word, {"minutes": [rest]})
        case "open":
            words = rest.split()
            game = [one for one in words if "=" not in one] or [_usual_game(hall.state)]
            await _order(hall, word, {"game": game, "option": [one for one in words if "=" in one]})
        case "result":
            table, colon, scores = rest.partition(":")
            if not colon:
                raise OrderRefusedError(N_("A result needs a table, a colon and points: result 2: 30 20 10"))
            await _order(hall, word, {"table": [table.strip()], "score": scores.split()})
        case "seat" | "start" | "end" | "close":
            await _order(hall, word, {})
        case "?" | "help":
            return HELP
        case _:
            return f"Unknown command '{plain(typed, 20)}'. Available:\n{HELP}"
    return status(hall)


async def _sign(hall: Hall, order: str, names: Sequence[str], card: str) -> str:
    """Sign players in or out. A name that is refused keeps no other player out."""
    refusals = []
    for name in names:
        try:
            await _order(hall, order, {"name": [name], "card": [card]})
        except UsageError as error:
            refusals.append(plain(str(error), REFUSAL_LENGTH))
        card = ""
    return "\n".join(refusals if len(refusals) == len(names) else [*refusals, status(hall)])


def _usual_game(state: HallState) -> str:
    return state.nights[-1].plan.game if state.nights else discovery.names()[0]


async def _order(hall: Hall, order: str, form: Form) -> None:
    await hall.change(form_decision(order, form, hall.now()))


async def answer_card(hall: Hall, card: str, people: People) -> str:
    """Sign in the owner of a player card that was laid on the hall's reader. Raises CompanionError."""
    owner = people.with_card(card)
    name = hall.state.cards.get(card) or (owner.name if owner else "")
    if not name:
        return f"Unknown player card {card}. `in NAME` signs its owner in, and from then on the card does."
    await _order(hall, "sign-in", {"name": [name], "card": [card]})
    return f"{name} has signed in."


def status(hall: Hall) -> str:
    """Where the night is."""
    night = hall.state.night
    if night is None:
        return "No night is open; `open` opens one."
    here = f"{discovery.title(night.plan.game)}: {len(night.present)} players are here"
    lines = [f"{here}: {listed(night.present)}." if night.present else f"{here}."]
    if night.round is not None:
        lines += _round_lines(night, hall.now())
        lines += _result_lines(hall.state, night, night.round)
    return "\n".join(lines)


def _round_lines(night: Night, now: float) -> list[str]:
    played = night.rounds[-1]
    lines = [clock_line(played, now, ENGLISH.text)]
    for table, names in played.seats.items():
        lines.append(f"  {table:>4}  {listed(list(names))}. {reason_line(played.reasons[table], ENGLISH)}")
    if played.byes:
        lines.append(f"     –  {reason_line(played.reasons[''], ENGLISH)}")
    return lines


def _result_lines(state: HallState, night: Night, played: NightRound) -> list[str]:
    """Which results of a round that has started are there, and which are not."""
    if played.started_at is None:
        return []
    found = {one.table: one for one in counted_results(state, night) if one.round == played.number}
    lines = [_result_line(result) for result in found.values()]
    missing = [table for table in played.seats if table not in found]
    if missing:
        return [*lines, f"No result yet: {'tables' if len(missing) > 1 else 'table'} {listed(missing)}."]
    return lines if played.ended_at is not None else [*lines, f"All results are in. `end` ends round {played.number}."]


def _result_line(result: ResultReported) -> str:
    return f"Result of table {result.table}: {', '.join(f'{seat.name} {seat.score}' for seat in result.seats)}."


def _table_lines(hall: Hall) -> Iterator[str]:
    for table in hall.state.tables.values():
        note = note_line(hall.table_notes.get(table.name, ())) if table.credential else "without Companion"
        yield f"  {table.name:>4}  {note}".rstrip()


def standings_text(state: HallState) -> str:
    if not state.nights:
        return "No night has been played yet."
    lines = [
        f"{line.rank:>4}  {line.name:<16} {points_text(line.table_points):>6}  {float(line.share):5.2f}"
        for line in night_standings(state, state.nights[-1])
    ]
    return "\n".join(lines) or "Nobody has signed in."


# --- What happens elsewhere -----------------------------------------------------------------------------------


def news(state: HallState, entry: LogEntry) -> str:
    """What a table, a phone or the director's page has just done; "" if the terminal need not say it."""
    night = state.night
    match entry.event:
        case TableJoined(table):
            return f"Table {table} has joined."
        case TableRemoved(table):
            return f"Table {table} was removed."
        case SignedIn(name):
            return f"{name} has signed in."
        case SignedOut(name):
            return f"{name} has gone home."
        case ResultReported() as result:
            return _result_news(state, result)
        case BoxShared(game, box):
            return f"The box {box} ({discovery.title(game)}) works at all tables now."
        case RoundStarted() | ClockSet() | RoundEnded() if night is not None and night.round is not None:
            return clock_line(night.round, entry.at, ENGLISH.text)
        case RoundSeated() if night is not None:
            return "\n".join(_round_lines(night, entry.at))
        case NightOpened(game):
            return f"A night of {discovery.title(game)} is open."
        case NightClosed():
            return "The night is closed."
        case _:
            return ""


def _result_news(state: HallState, result: ResultReported) -> str:
    night = state.nights[result.night - 1] if 0 < result.night <= len(state.nights) else None
    if night is None:
        return ""
    if not result.finished:
        return f"Table {result.table} has undone the end of its game."
    if result not in counted_results(state, night):
        return f"Table {result.table} has finished one more game. Its first one counts."
    played = night.round
    if night is not state.night or played is None or result.round != played.number:
        return f"{_result_line(result)} (night {result.night}, round {result.round})"
    *_, missing = _result_lines(state, night, played) or [""]
    return "\n".join(filter(None, [_result_line(result), missing]))
