"""What a screen draws around a game's own panels: the seat plan, and the line at the foot with readers and match."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, repeat
from typing import Literal, NamedTuple, TypeAlias

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from companion.gamekit.ending import leaders, partners
from companion.gamekit.game import Seat
from companion.gamekit.screen.face import LAMP, Going, Headline, Sight
from companion.gamekit.sign_table import LEADS, LEFT, QUESTION, RIGHT, TURN, WRONG
from companion.gamekit.snapshot import TYPED, Snapshot, StationState, Told
from companion.language.screen_language import _, language
from companion.language.wording import numeral, pad_of, plain
from companion.stations import CENTRE, PINS, seat_at

# --- The seat plan --------------------------------------------------------------------------------------------

# The table is drawn as it is seen from this screen, which stands at its lower edge. Seats go clockwise from the left of
# the screen: up the left side, along the top, down the right side. Of two pairs of partners one sits at the screen.

LEAST = 3
"""Rows of the smallest plan."""
SIDE = 14
"""Cells for the names at the sides, at most."""
AT_TOP = 3
"""How many players fit along the top. With more players, two sit at each side."""


PARTNERS = partners(4)


class Sides(NamedTuple):
    """The seats at the left from the bottom up, along the top, at the right from the top down, and at the screen."""

    left: tuple[Seat, ...]
    top: tuple[Seat, ...]
    right: tuple[Seat, ...]
    bottom: tuple[Seat, ...]


class SeatedPlayer(NamedTuple):
    """One player's name, what their lamp says, and whether the table waits for them."""

    name: str
    light: tuple[str, str] | None
    awaited: bool


class Inscriptions(NamedTuple):
    """The words on the drawn table: at its upper edge, in the middle, and where the screen stands."""

    above: tuple[str, ...]
    """The longest first: the first one that fits is written. So it is below."""
    middle: str
    below: tuple[str, ...]


def plan(sight: Sight, width: int, height: int, notes: tuple[str, ...] = (), going: Going | None = None) -> Content:
    """The seats around the table: turn, direction and lamps. `notes` are short texts behind the names. `going`: another
    direction than that of this game."""
    waiting = awaited(sight)
    named = [f"{name} {note}".rstrip() for name, note in zip(sight.names, chain(notes, repeat("")), strict=False)]
    seated = tuple(SeatedPlayer(name, sight.lamps[seat], seat in waiting) for seat, name in enumerate(named))
    above = _going(sight.face.going(sight) if going is None else going)
    words = Inscriptions(above, _("pause") if sight.snapshot.paused else "", (f" {_('this screen')} ", ""))
    around = sides(len(seated), opposite=height > LEAST and sight.snapshot.teams == PARTNERS)
    return _drawn(seated, around, words, width, max(LEAST, height))


def awaited(sight: Sight) -> frozenset[Seat]:
    """The seats that the table waits for."""
    awaiting = sight.snapshot.awaiting
    return frozenset(awaiting.seats if awaiting else ()).difference(sight.snapshot.settled)


def sides(players: int, *, opposite: bool = False) -> Sides:
    """`opposite`: of four players, those who play together sit opposite each other."""
    if opposite:
        return Sides((0,), (1,), (2,), (3,))
    at_side = 0 if players < 2 else 1 if players - 2 <= AT_TOP else 2
    seats = tuple(range(players))
    return Sides(seats[:at_side], seats[at_side : players - at_side], seats[players - at_side :], ())


def _going(going: Going) -> tuple[str, ...]:
    if not going:
        return ("",)
    arrow, word = (RIGHT, _("clockwise")) if going == "clockwise" else (LEFT, _("anticlockwise"))
    return f" {arrow} {word} {arrow} ", f" {word} ", f" {arrow} {arrow} {arrow} "


@lru_cache(32)
def _drawn(seated: tuple[SeatedPlayer, ...], around: Sides, words: Inscriptions, width: int, height: int) -> Content:
    """Turns go round, so the same plans come again."""
    left, top, right, bottom = around
    rows = height - 2 if bottom else height - 1
    longest = max((cell_len(seated[seat].name) for seat in (*left, *right)), default=0)
    side = min(SIDE, longest + LAMP + 2, width // 3)
    before = _beside([seated[seat] for seat in left[::-1]], rows, side, "right")
    behind = _beside([seated[seat] for seat in right], rows, side, "left")
    table = _edges(words, width - 2 * side - 2, rows)
    lines = [Content.assemble(*parts) for parts in zip(before, table, behind, strict=True)]
    below = [_along([seated[seat] for seat in bottom], width)] if bottom else []
    return Content("\n").join([_along([seated[seat] for seat in top], width), *lines, *below])


def _edges(words: Inscriptions, inner: int, rows: int) -> list[Content]:
    lines = [_across(words.middle if y == rows // 2 else "", inner) for y in range(rows)]
    lines[0] = Content.styled(f"┏{_centred(_fitting(words.above, inner), inner, '━')}┓", "$quiet")
    lines[-1] = Content.styled(f"┗{_centred(_fitting(words.below, inner), inner, '━')}┛", "$quiet")
    return lines


def _across(words: str, inner: int) -> Content:
    return Content.assemble(("┃", "$quiet"), (_centred(words, inner, " "), "bold"), ("┃", "$quiet"))


def _along(seated: list[SeatedPlayer], width: int) -> Content:
    room = width // max(1, len(seated))
    return Content("").join([_seat(player, room, "centre") for player in seated])


def _beside(seated: list[SeatedPlayer], rows: int, size: int, align: Literal["left", "right"]) -> list[Content]:
    """The names at one side, spread over its rows."""
    lines = [Content(" " * size)] * rows
    for number, player in enumerate(seated):
        lines[(2 * number + 1) * rows // (2 * len(seated))] = _seat(player, size, align)
    return lines


def _seat(player: SeatedPlayer, size: int, align: Literal["left", "centre", "right"]) -> Content:
    """A name and its lamp; a mark and another ground if the table waits for this player."""
    light = Content.assemble(" ", player.light) if player.light else Content("")
    words = set_cell_size(player.name, min(cell_len(player.name), size - light.cell_length - 1))
    drawn = Content.assemble((TURN if player.awaited else " ") + words, light)
    if player.awaited:
        drawn = drawn.stylize_before("bold on $primary-muted")
    gap = max(0, size - drawn.cell_length)
    before = {"left": 0, "centre": gap // 2, "right": gap}[align]
    return Content.assemble(" " * before, drawn, " " * (gap - before))


def _fitting(texts: Sequence[str], width: int) -> str:
    """The first text that fits; never half of one."""
    return next((text for text in texts if cell_len(text) <= width), "")


def _centred(words: str, width: int, fill: str) -> str:
    words = set_cell_size(words, min(cell_len(words), width))
    gap = width - cell_len(words)
    return fill * (gap // 2) + words + fill * (gap - gap // 2)


# --- The headline ---------------------------------------------------------------------------------------------


def is_dealt(sight: Sight) -> bool:
    """Whether simulated hands deal or draw now, so that no player has to do anything."""
    awaiting = sight.snapshot.awaiting
    return awaiting is not None and bool(awaiting.do) and set(awaiting.do) <= set(sight.snapshot.by_table)


def headline(sight: Sight) -> Headline:
    """Who has to act, and how."""
    if is_dealt(sight):
        return Headline((_("dealing", "big"),), _("Companion deals the cards. You have nothing to do."))
    return sight.face.headline(sight)


def headline_here(sight: Sight) -> Headline:
    """The same for the persons at this screen: they have nothing to do while only bots are awaited."""
    shown, waiting = headline(sight), awaited(sight)
    if not sight.persons or not waiting or waiting & sight.persons or sight.snapshot.errand or is_dealt(sight):
        return shown
    names = tuple(sight.name(seat) for seat in sorted(waiting))
    words = _("The computer plays for {names}. There is nothing to do.", names=names)
    return Headline(shown.big, words)


# --- The foot -------------------------------------------------------------------------------------------------

LOSSES = ("reader fault", "link down", "links down", "pads unplugged", "reader unplugged")
"""The message ids of a lost station."""
Remarks: TypeAlias = Sequence[tuple[str, str]]
"""Words and their style."""


def foot(sight: Sight, first: Remarks = (), then: Remarks = (), width: int = 0) -> Content:
    """One line: the readers, how the match stands, and whether the box is a stand-in. `first` and `then` go before and
    behind the readers. Where there is a `width`, what does not fit is said more briefly, the least important first."""
    plays_match = sight.snapshot.match and not sight.over
    standings = _match(sight) if plays_match else ("", "")
    has_own_cards = not sight.snapshot.deals
    is_stand_in = has_own_cards and getattr(sight.box, "provenance", "") == "stand-in"
    boxes = (_("stand-in box: your cards may differ"), _("stand-in box"), "") if is_stand_in else ("",) * 3
    for standing, box in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2)):
        parts = [*first, *readers(sight), *then, (standings[standing], "bold"), (boxes[box], "dim")]
        line = Content("  ").join([Content.styled(words, style) for words, style in parts if words])
        if not width or line.cell_length <= width:
            break
    return line


def _match(sight: Sight) -> tuple[str, str]:
    """Which game of the match this is, and the points from the games before it; and the points alone."""
    match = sight.snapshot.match
    if len(sight.snapshot.teams) == 1:
        won = sum(bool(result.winners) for result in match)
        told = _("game {number}, so far: {won} won", number=len(match) + 1, won=won)
        return told, told
    sums, best = leaders([result.totals for result in match], sight.snapshot.lowest_wins)
    marks = [LEADS if seat in best else "" for seat in range(len(sums))]
    standing = "  ".join(
        f"{mark}{plain(name, 6)} {numeral(points)}" for mark, name, points in zip(marks, sight.names, sums, strict=True)
    )
    return _("game {number}, so far: {standing}", number=len(match) + 1, standing=standing), standing


def readers(sight: Sight) -> list[tuple[str, str]]:
    """Words and their style. Readers that are not ready are named, unless several were lost for the same reason. Ready
    readers are only counted."""
    snapshot = sight.snapshot
    together = _lost_together(snapshot)
    alone = [device for device in snapshot.devices if device.station not in together]
    parts = []
    if together:
        parts.append((f"{WRONG} " + _("{count:pad|pads}: lost", count=len(together)), "bold $error"))
    parts += [_not_ready(device, sight) for device in alone if device.state != "ready"]
    ready = sum(device.state == "ready" and device.station != PINS for device in alone)
    if ready:
        parts.append((_("{count:reader|readers}", count=ready), ""))
    return parts


def _not_ready(device: StationState, sight: Sight) -> tuple[str, str]:
    name = _name(device.station, sight)
    if device.state == "unclear":
        return f"{QUESTION} " + _("{station}: a stack", station=name), "$warning"
    if device.state == "connecting":
        return _("… {station}: connecting", station=name), "$warning"
    if by_hand(sight.snapshot, device.station):
        return _("{station}: on screen", station=name), "bold $warning"
    return f"{WRONG} " + _("{station}: lost", station=name), "bold $error"


def _lost_together(snapshot: Snapshot) -> set[str]:
    """Pads that were lost for the same reason, perhaps a cable, and have not been replaced by the screen since."""
    lost: dict[str, list[str]] = {}
    for device in snapshot.devices:
        if device.state == "lost" and seat_at(device.station) is not None and not by_hand(snapshot, device.station):
            lost.setdefault(device.problem, []).append(device.station)
    return {station for stations in lost.values() if len(stations) > 1 for station in stations}


def _name(station: str, sight: Sight) -> str:
    seat = seat_at(station)
    if seat is not None and seat < len(sight.names):
        return pad_of(sight.name(seat), language())
    return {CENTRE: _("centre"), PINS: _("button unit")}.get(station, plain(station))


def by_hand(snapshot: Snapshot, station: str) -> bool:
    """Whether a screen or a phone has replaced this station since it was lost, as far back as the history goes."""
    lines = snapshot.history
    losses = [n for n, told in enumerate(lines) if told.what in LOSSES and _at(told, station)]
    since = lines[losses[-1] :] if losses else lines
    return any(told.kind == "accepted" and told.how in TYPED and _spoke_for(told, station) for told in since)


def _at(told: Told, station: str) -> bool:
    several = told.facts.get("stations")
    return told.facts.get("station") == station or (isinstance(several, tuple) and station in several)


def _spoke_for(told: Told, station: str) -> bool:
    """A pad stands for its own seat, every other station for all of them."""
    seat = seat_at(station)
    return seat is None or told.facts.get("seat") == seat
