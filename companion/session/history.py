"""The lines of an evening: what the referee answered, what was ruled, what was undone."""

from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit.game import Refusal, Ruling
from companion.gamekit.snapshot import Kind, Told
from companion.language.facts import Fact, Facts
from companion.session import match
from companion.session.actions import CountedAction
from companion.session.evening import Evening, Taken
from companion.session.played_game import PlayedGame
from companion.stations import seat_at
from companion.troubles import LineTrouble

HISTORY = 60
"""How many lines a snapshot carries: more than any screen shows at once."""
KEPT = 5000
"""How many lines are remembered: more than any game has."""
PAGE = 150
"""How many earlier lines are read at a time."""
NEW_GAME = "a new game"
QUOTED = 300
"""How many characters of a text from outside an answer quotes."""


def note(what: str, **facts: Fact) -> Ruling:
    """What the referee says without a ruling of the game."""
    return Ruling(None, what, facts)


def short(facts: Facts) -> Facts:
    """A screen may send anything, and a refusal quotes it on every screen: so it is cut."""
    if all(not isinstance(fact, str) or len(fact) <= QUOTED for fact in facts.values()):
        return facts
    return {name: fact[:QUOTED] if isinstance(fact, str) else fact for name, fact in facts.items()}


# --- One cable, one line: stations that report the same trouble one after another share a line ---

TOGETHER = {"link down": "links down", "link up": "links up", "connecting": "links connecting"}


def remember(history: deque[Told], told: Told) -> Told:
    """Add a line; if it reports the same cable as the line before, both become one."""
    both = merged(history[-1], told) if history else None
    if both is not None:
        history.pop()
    history.append(both or told)
    return both or told


def told_plainly(told: Told) -> Told:
    """An unplugged cable: the line says to plug it in again, and nothing else."""
    if told.what != "link down" or told.facts.get("problem") != LineTrouble.UNPLUGGED:
        return told
    station = str(told.facts.get("station"))
    if seat_at(station) is None:
        return _said(told, note("reader unplugged", station=station))
    return _said(told, note("pads unplugged", stations=(station,)))


def merged(before: Told, told: Told) -> Told | None:
    """Both as one line, with the newer number; None if they do not belong together."""
    what = _kind(told)
    if _kind(before) != what or before.facts.get("problem") != told.facts.get("problem"):
        return None
    stations = tuple(dict.fromkeys((*_stations(before), *_stations(told))))
    if len(stations) < 2 or any(seat_at(station) is None for station in stations):
        return None
    match what:
        case "links down":
            return _said(told, note("links down", stations=stations, problem=told.facts.get("problem")))
        case "links up":
            return _said(told, note("links up", stations=stations))
        case "links connecting":
            return _said(told, note("links connecting", stations=stations))
        case _:
            return _said(told, note("pads unplugged", stations=stations))


def _said(told: Told, ruling: Ruling) -> Told:
    return replace(told, what=ruling.what, facts=ruling.facts)


def _kind(told: Told) -> str:
    return TOGETHER.get(told.what, told.what)


def _stations(told: Told) -> tuple[str, ...]:
    """The stations that a line about a cable names."""
    if _kind(told) not in (*TOGETHER.values(), "pads unplugged"):
        return ()
    several = told.facts.get("stations")
    return tuple(map(str, several)) if isinstance(several, tuple) else (str(told.facts.get("station")),)


# --- Lines ---


class HeardAs(Struct, frozen=True):
    """How something was entered, the id of that signal or intention, and when."""

    how: str
    cause: str
    at: float
    entry: int = 0
    """The number of its entry in the journal; 0 if it changed nothing."""


class EveningHistory:
    """Makes the lines, and remembers the newest ones."""

    def __init__(self) -> None:
        self._lines: deque[Told] = deque(maxlen=KEPT)
        self._count = 0

    @property
    def history(self) -> tuple[Told, ...]:
        """The newest lines, oldest first."""
        return self.up_to(self._count)

    def up_to(self, number: int) -> tuple[Told, ...]:
        """The newest lines when this one was the newest."""
        lines = (told for told in reversed(self._lines) if told.number <= number)
        return tuple(reversed([*islice(lines, HISTORY)]))

    def earlier(self, before: int) -> tuple[tuple[Told, ...], bool]:
        """Lines of the current game before this one, and whether they are its first."""
        lines = [told for told in self._lines if told.number < before]
        starts = [number for number, told in enumerate(lines) if told.what == NEW_GAME]
        lines = lines[starts[-1] if starts else 0 :]
        return tuple(lines[-PAGE:]), len(lines) <= PAGE

    def tell(self, kind: Kind, said: HeardAs, ruling: Ruling | Refusal, *, quiet: bool = False, **more: Any) -> Told:
        """Answer, and keep the line unless it is `quiet`: a lifted piece, or half an action that the screen shows
        anyway. `more`: other fields of the line."""
        self._count += not quiet
        facts = short(ruling.facts)
        number = 0 if quiet else self._count
        told = Told(number, kind, ruling.what, ruling.rule, facts, how=said.how, entry=said.entry, **more)
        told = told_plainly(told)
        return told if quiet else remember(self._lines, told)

    def remember(self, played_game: PlayedGame) -> list[int]:
        """The lines of a game: their number after each of its actions, and before the first."""
        counts = [self._count]
        for each in played_game.played:
            self.tell_ruled(HeardAs(each.how, "", 0.0, each.entry), each.rulings)
            counts.append(self._count)
        return counts

    def resume(self, evening: Evening) -> None:
        """The lines of the current game as they were told when its entries were written, with what was corrected. What
        was undone is left out: it may name what is hidden again."""
        undone = {
            number
            for taken in evening.taken
            if taken.kind in ("undo", "back")
            for each in taken.undone
            for number in ((each.entry,) if taken.counts else (each.number, each.entry))
        }
        for taken in evening.taken:
            of = taken.counts.number if taken.counts else taken.number
            if taken.kind in ("action", "corrected") and not undone & {taken.number, of}:
                self.tell_taken(taken, HeardAs(taken.how, "", 0.0, taken.number), evening)

    def tell_ruled(self, said: HeardAs, rulings: Sequence[Ruling], undone: Sequence[CountedAction] = ()) -> Told:
        """All rulings of an action. The last line names `undone` actions that no longer count because of it. The answer
        is the first line: what was done, without what followed."""
        *first, last = rulings
        told = [self.tell("accepted", said, ruling) for ruling in first]
        told.append(self.tell("accepted", said, last, **(_about(undone) if undone else {})))
        return told[0]

    def tell_doubted(self, number: int, evening: Evening) -> None:
        """The disk failed while this entry was written. The previous referee could not say whether it counts; now we
        know."""
        counts = number <= evening.number
        which = note("written all the same") if counts else note("not written")
        self.tell("noted" if counts else "refused", HeardAs("", "", 0.0), which)

    def tell_taken(self, taken: Taken, said: HeardAs, evening: Evening) -> Told:
        """What an entry did."""
        match taken.kind:
            case "action":
                return self.tell_ruled(said, taken.rulings, taken.undone)
            case "undo" | "back":
                return self._tell_undone(taken, said, evening)
            case "corrected":
                return self._tell_corrected(taken, said, evening)
            case "ended":
                return self.tell("noted", said, match.won(evening))
            case "prepared":
                return self.tell("noted", said, note("set up already"), quiet=True)
            case "clock":
                paused = evening.played_game.thinking.paused
                return self.tell("noted", said, note("paused") if paused else note("no pause"))
            case "box" if evening.played_game.box_text == evening.header.box:
                return self.tell("noted", said, note("joined the box"))
            case "box":
                return self.tell("noted", said, note("joins the next box"))
            case "game":
                return self.tell("noted", said, note("a new game", seat=evening.header.first))

    def _tell_undone(self, taken: Taken, said: HeardAs, evening: Evening) -> Told:
        if not taken.undone:
            return self.tell("noted", said, note("match reopened"))
        what = note("undone")
        if taken.counts is not None:
            what = note("uncorrected")
        elif len(taken.undone) > 1:
            what = note("several taken back", count=len(taken.undone))
        elif not taken.moves and (seat := evening.game.conceals(taken.undone[0].action)) is not None:
            what = note("earlier choice counts", seat=seat)
        revives = (taken.counts.entry,) if taken.counts else ()
        return self.tell("undone", said, what, moves=taken.moves, revives=revives, **_about(taken.undone))

    def _tell_corrected(self, taken: Taken, said: HeardAs, evening: Evening) -> Told:
        """The wrong entry, then what counts instead. Neither line names a choice that is still secret."""
        (was,) = taken.undone
        seat = evening.game.conceals(was.action)
        if seat is not None and taken.rulings == was.step.rulings and not taken.revealed:
            return self.tell("corrected", said, note("chosen again", seat=seat), moves=taken.moves)
        told = self.tell("corrected", said, note("corrected"), moves=taken.moves, **_about((was,)))
        self.tell_ruled(said, taken.rulings)
        return told


def _about(undone: Sequence[CountedAction]) -> dict[str, Any]:
    """The first ruling of each of these actions, and the entries whose lines no longer count."""
    voids = dict.fromkeys(entry for each in undone for entry in (each.number, each.entry))
    return {"about": tuple(each.step.rulings[0] for each in undone), "voids": tuple(voids)}
