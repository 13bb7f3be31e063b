"""What a phone shows: everything that a screen shows of the table, from the same faces, texts and catalogues."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from msgspec import Struct
from textual.content import Content

from companion.drawing.dialog_texts import (
    answer,
    errand_title,
    errand_words,
    may_ask_why,
    newest,
    place_lines,
    preparation_next,
    preparation_title,
    preparation_words,
    question_words,
    thought_words,
)
from companion.drawing.event_lines import COMPLAINTS, HistoryLine, explained, put_back, reasons, told_lines
from companion.drawing.qr_code import code
from companion.drawing.result_sheet import (
    Lane,
    bars,
    can_end,
    game_number,
    ink_on,
    majorities,
    outcome,
    sheet,
    totals_in_words,
)
from companion.drawing.shows import ShowStep, highlight_number, last_highlight, show_steps
from companion.drawing.table_frame import foot, headline
from companion.gamekit.discovery import title
from companion.gamekit.screen.face import HUGE, Sight
from companion.gamekit.sign_table import NOTHING, WRONG
from companion.gamekit.snapshot import PieceRead, Snapshot, Thoughts, Told
from companion.language.screen_language import _, spoken
from companion.language.wording import numeral, plain
from companion.web.phone_menus import PhoneButton, ShownMenu, buttons, inline
from companion.web.seat_sight import SeatSight
from companion.web.styled_text import StyledLines, label, lines

T = TypeVar("T")
NARROW = 60
"""Cells: below this a face draws for a phone, above it as on a screen."""
LATELY = 8
"""How many of the newest lines are shown; the others are behind "why"."""


class ShownLine(Struct, frozen=True, omit_defaults=True):
    number: int
    text: str
    rule: str = ""
    mark: str = ""


class Announcement(Struct, frozen=True):
    """What all players are asked or shown before the game goes on."""

    title: str
    text: StyledLines
    buttons: Sequence[PhoneButton]


class PhoneView(Struct, frozen=True, omit_defaults=True, tag_field="is", tag="view"):
    language: str
    title: str
    name: str
    """Whose phone this is; "" for a spectator."""
    entry: int
    headline: str
    asked: bool = False
    """Whether the table waits for this player."""
    up: bool = True
    """Whether the referee is there."""
    dealt: bool = False
    """Companion deals: there are no pieces that this phone could read."""
    centre: bool = False
    """A phone of this player is the centre of the table."""
    hand: StyledLines = []
    panels: Sequence[StyledLines] = []
    buttons: Sequence[PhoneButton] = []
    menu: ShownMenu | None = None
    box: Announcement | None = None
    moves: Sequence[str] = []
    """Pieces that the players have to put back."""
    lines: Sequence[ShownLine] = []
    foot: StyledLines = []
    evening: Sequence[PhoneButton] = []
    """Buttons that are not the game's: undo, one more game."""
    totals: Sequence[str] = []
    """When the game is over: how many points each player has, for players who listen."""
    show: int = 0
    """Tells the newest show from those before it; 0 if there is none."""
    in_words: bool = False
    """Begin with the table in words, unless this phone was told otherwise."""
    code: StyledLines = []
    """Leads other phones to the result: on a wall, when the game is over."""


def view(
    sight: Sight, cells: int, up: bool, in_words: bool = False, result_link: Callable[[int], str] | None = None
) -> PhoneView:
    seat = sight.seat if isinstance(sight, SeatSight) else None
    asked = isinstance(sight, SeatSight) and sight.is_asked and sight.snapshot.question is None
    name = sight.name(seat) if seat is not None else ""
    box = _box(sight)
    menu = inline(sight) if asked and up and box is None else None
    return PhoneView(
        language=spoken(),
        title=title(sight.snapshot.game),
        name=name,
        entry=sight.snapshot.entry,
        headline=_headline(sight, name if asked else ""),
        asked=asked,
        up=up,
        dealt=sight.snapshot.deals,
        centre=seat is not None and sight.snapshot.centre == seat,
        hand=_hand(sight, choosing=menu is not None),
        panels=[lines(panel) for panel in _panels(sight, cells) if panel.plain.strip()],
        buttons=[] if menu else list(buttons(sight)),
        menu=menu,
        box=box,
        moves=_shared(sight, _moves) if sight.persons else [],
        lines=_shared(sight, _newest_lines),
        foot=_shared(sight, _foot_lines),
        evening=list(_evening(sight)),
        totals=_shared(sight, totals_in_words) if sight.over else [],
        show=_shared(sight, highlight_number),
        in_words=in_words,
        code=lines(code(result_link(game_number(sight)))) if result_link and sight.over else [],
    )


def _headline(sight: Sight, asked: str) -> str:
    """`asked`: the text "your turn" before it replaces the player's own name."""
    shown = outcome(sight) if sight.over else headline(sight)
    return (shown.yours or shown.sentence.removeprefix(f"{asked}: ")) if asked else shown.sentence


def _newest_lines(sight: Sight) -> list[ShownLine]:
    told = reasons(sight) if sight.over else told_lines(sight, sight.history[-LATELY:])
    return [_line(each) for each in told]


def _moves(sight: Sight) -> list[str]:
    undone = put_back(sight, sight.history)
    return [sight.put_back(move) for move in undone.moves] if undone else []


def _foot_lines(sight: Sight) -> StyledLines:
    return lines(foot(sight))


_known: tuple[Snapshot | None, dict[object, Any]] = (None, {})
"""What is the same for all phones, computed once for each snapshot and language."""


def _shared(sight: Sight, make: Callable[[Sight], T]) -> T:
    global _known  # noqa: PLW0603 - one snapshot is the newest, for all phones
    if _known[0] is not sight.snapshot:
        _known = sight.snapshot, {}
    key = spoken(), make
    if key not in _known[1]:
        _known[1][key] = make(sight)
    found: T = _known[1][key]
    return found


def _hand(sight: Sight, choosing: bool) -> StyledLines:
    hand = sight.face.hand(sight, choosing) if sight.has_hand else Content("")
    return lines(hand) if hand.plain.strip() else []


def _panels(sight: Sight, cells: int) -> Iterator[Content]:
    if sight.over:
        yield from (sheet(sight, cells), bars(sight, cells), majorities(sight, cells))
    elif cells < NARROW:
        yield from sight.face.phone_panels(sight, cells)
    else:
        grown = sight.face.grown(sight, cells) if cells >= HUGE[0] else None
        yield from grown or sight.face.panels(sight, cells, True)


# --- Shows ----------------------------------------------------------------------------------------------------


class LanePiece(Struct, frozen=True):
    """A piece of a bar: its share of the whole width, its colours, its words."""

    share: float
    ink: str
    paper: str
    text: str
    lost: bool


class ShownLane(Struct, frozen=True):
    name: str
    total: str
    won: bool
    pieces: Sequence[LanePiece]


class ShownStep(Struct, frozen=True, omit_defaults=True):
    words: StyledLines
    big: str = ""
    picture: StyledLines = []
    race: Sequence[ShownLane] = []


class ShownShow(Struct, frozen=True, tag_field="is", tag="show"):
    number: int
    title: str
    steps: Sequence[ShownStep]


def show(sight: Sight, cells: int) -> ShownShow | None:
    """The newest show, from what every player may read."""
    moment = last_highlight(sight)
    if moment is None:
        return None
    steps = [_shown_step(sight, step) for step in show_steps(sight, moment, cells, cells >= NARROW)]
    return ShownShow(highlight_number(sight), moment.title, steps)


def _shown_step(sight: Sight, step: ShowStep) -> ShownStep:
    picture = lines(step.picture) if step.picture.plain.strip() else []
    return ShownStep(
        lines(step.words), step.big[0] if step.big else "", picture, [_lane(sight, each) for each in step.race]
    )


def _lane(sight: Sight, lane: Lane) -> ShownLane:
    pieces = []
    for kind, points in lane.pieces.items():
        hue = sight.face.hue(kind)
        text = f"{sight.face.part(kind)} {numeral(points)}"
        pieces.append(LanePiece(abs(points) / max(1, lane.most), ink_on(hue), hue, text, points < 0))
    return ShownLane(lane.name, numeral(lane.total), lane.won, pieces)


# --- What happened, and why -----------------------------------------------------------------------------------


def history(sight: Sight) -> list[HistoryLine]:
    return [*told_lines(sight, sight.history), *reasons(sight)]


def _line(line: HistoryLine) -> ShownLine:
    mark = WRONG if line.kind in COMPLAINTS else NOTHING if line.kind in ("undone", "noted") else ""
    return ShownLine(line.number, line.sentence, line.rule, mark)


def shown_lines(sight: Sight, told: Sequence[Told]) -> list[ShownLine]:
    """These lines of the history, in words."""
    return [_line(each) for each in told_lines(sight, told)]


class AllLines(Struct, frozen=True, tag_field="is", tag="lines"):
    """All lines of the evening that may be shown now."""

    lines: Sequence[ShownLine]


class Reason(Struct, frozen=True, tag_field="is", tag="why"):
    title: str
    text: StyledLines


def all_lines(sight: Sight) -> AllLines:
    return AllLines([_line(each) for each in history(sight)])


def why(sight: Sight, number: int, thoughts: Thoughts | None = None) -> Reason | None:
    """`thoughts`: what the bots expected that did it."""
    found = [line for line in history(sight) if line.number == number]
    if not found:
        return None
    words = thought_words(sight, thoughts) if thoughts else []
    return Reason(_("Why"), lines(Content("\n\n").join([explained(sight, found[0]), *map(Content, words)])))


def line_of_bot(sight: Sight, number: int) -> Told | None:
    """The line, if a bot may say why it did what it tells."""
    told = next((each for each in sight.history if each.number == number), None)
    return told if told is not None and may_ask_why(sight, told) else None


def rules(sight: Sight) -> Reason:
    return Reason(title(sight.snapshot.game), lines(Content(sight.face.rules())))


def answered(sight: Sight, told: Told) -> str:
    return answer(sight, told, False)


def tapped(sight: Sight, read: PieceRead, told: Told) -> str:
    """The piece that this phone has touched, and whether its player may play it, if they asked. "" for another player's
    piece."""
    if read.thing is None:
        return ""
    piece = sight.face.thing(read.thing, 1, sight)
    if told.what != "piece was read":
        return piece
    if read.playable:
        return _("{piece}. You may play it.", piece=piece)
    return _("{piece}. You can't play it now.", piece=piece)


# --- What all players are asked -------------------------------------------------------------------------------


def settle(what: str, number: int = 0) -> dict[str, Any]:
    return {"is": "settle", "what": what, "number": number}


def _box(sight: Sight) -> Announcement | None:
    """Only players are asked, not spectators."""
    if not isinstance(sight, SeatSight) or not sight.persons:
        return None
    snapshot = sight.snapshot
    if snapshot.preparation is not None:
        return _preparation(sight)
    if snapshot.layout:
        words = Content("\n".join(place_lines(snapshot.layout, sight)))
        go_on = PhoneButton(label(_("Yes, go on")), settle("looked over"), "primary")
        return Announcement(_("Does the table look like this?"), lines(words), [go_on])
    return _question(sight) or _errand(sight)


def _errand(sight: SeatSight) -> Announcement | None:
    errand = sight.snapshot.errand
    if errand is None:
        return None
    done = PhoneButton(label(_("Done")), settle("errand", sight.snapshot.entry), "primary")
    return Announcement(errand_title(sight, errand), lines(Content(errand_words(sight, errand))), [done])


def _preparation(sight: Sight) -> Announcement:
    shown = sight.snapshot.preparation
    assert shown is not None
    leaf = [PhoneButton(label(preparation_next(shown)), settle("prepare", shown.page + 1), "primary")]
    if shown.page:
        leaf.append(PhoneButton(label(_("Back")), settle("prepare", shown.page - 1)))
    if shown.page + 1 < shown.pages:
        leaf.append(PhoneButton(label(_("Skip")), settle("prepare", shown.pages)))
    return Announcement(preparation_title(shown), lines(preparation_words(sight, shown)), leaf)


def _question(sight: SeatSight) -> Announcement | None:
    question = sight.snapshot.question
    if question is None:
        return None
    agree = PhoneButton(label(_("Agree")), settle("agree", question.number), "success")
    decline = PhoneButton(label(_("Decline")), settle("decline", question.number), "error")
    answers = [agree, decline] if sight.seat in question.missing else []
    return Announcement(_("Question to all players"), lines(Content(question_words(sight, question, ""))), answers)


def _evening(sight: Sight) -> Iterator[PhoneButton]:
    snapshot = sight.snapshot
    if _shared(sight, highlight_number):
        yield PhoneButton(label(_("Show again")), {"is": "show"})
    if not sight.persons:
        return
    if sight.over and not snapshot.ended:
        yield PhoneButton(label(_("Next game")), settle("next"), "primary")
    if can_end(sight):
        yield PhoneButton(label(_("End the match")), settle("end match"), confirm=_("End the match"))
    if snapshot.can_undo and not snapshot.question:
        asked = f"{_('Undo the last action?')}\n{plain(newest(sight), 300)}"
        yield PhoneButton(label(_("Undo")), settle("undo", snapshot.entry), confirm=asked)
