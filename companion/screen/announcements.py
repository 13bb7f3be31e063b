"""What is spoken aloud: turns, reveals, refusals and results.

It is made from what the screen shows to all players, so it cannot reveal a secret.
"""

from collections.abc import Iterator, Sequence

from companion.drawing.event_lines import COMPLAINTS
from companion.drawing.result_sheet import outcome
from companion.drawing.table_frame import headline, is_dealt
from companion.gamekit.game import Seat
from companion.gamekit.screen.face import Sight
from companion.gamekit.snapshot import Told
from companion.language.screen_language import _
from companion.voice import SpeechProblem


def announcements(before: Sight | None, sight: Sight, fresh: Sequence[Told], level: str) -> list[str]:
    """What is new for all players since `before`: "brief" has results, "full" also reveals and refusals."""
    if level == "off" or before is None:
        return []
    return list(_said(before, sight, fresh, full=level == "full"))


def _said(before: Sight, sight: Sight, fresh: Sequence[Told], *, full: bool) -> Iterator[str]:
    if full:
        yield from (sight.say(told) for told in fresh if told.kind in COMPLAINTS)
        yield from (sight.say(told) for told in _revealed(sight, fresh))
    errand = sight.snapshot.errand
    if errand is not None and errand != before.snapshot.errand:
        yield _("For {name}: {what}", name=sight.name(errand.seat), what=sight.say(errand.said))
    if sight.over and (not before.over or sight.snapshot.ended != before.snapshot.ended):
        yield outcome(sight).sentence


def new_turn(before: Sight | None, sight: Sight) -> tuple[Seat, ...]:
    """Who is asked for something now, and was not `before`. Empty: no player needs to be told."""
    awaiting = sight.snapshot.awaiting
    if before is None or awaiting is None or sight.over or _turn(sight) == _turn(before):
        return ()
    return tuple(awaiting.seats) if _is_asked(sight) else ()


def turn_words(sight: Sight) -> list[str]:
    """Whose turn it is, and what they are asked."""
    return [headline(sight).sentence]


def _revealed(sight: Sight, fresh: Sequence[Told]) -> list[Told]:
    """All lines of the actions that revealed something."""
    bright = {told.entry for told in fresh if told.entry and told.what in sight.face.spoken}
    return [told for told in fresh if told.kind == "accepted" and told.entry in bright]


def _is_asked(sight: Sight) -> bool:
    """Simulated players need no announcement. If only simulated players play, all turns are announced."""
    awaiting = sight.snapshot.awaiting
    if awaiting is None or is_dealt(sight):
        return False
    return not sight.persons or not sight.persons.isdisjoint(awaiting.seats)


def _turn(sight: Sight) -> tuple[object, ...]:
    """What is asked, and of whom: a player who has done one of several things is not called again."""
    awaiting = sight.snapshot.awaiting
    return (awaiting.seats, awaiting.do) if awaiting else ()


def why_silent(problem: SpeechProblem) -> str:
    """The problem, and what to do about it."""
    return {
        "no espeak-ng": _("No speech: the program espeak-ng is missing (apt install espeak-ng)"),
        "espeak-ng fails": _("No speech: espeak-ng does not work (`companion doctor` tests it)"),
        "no player": _("No speech: there is no program to play sound (apt install alsa-utils)"),
        "no sound": _("No sound: this computer has no working sound card"),
    }[problem]
