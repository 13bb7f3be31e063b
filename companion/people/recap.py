"""What was special about an evening: where each game turned, its rarest ruling, records and victories in a row.

All of it comes from a folded journal, and from the results of all games before (`past_games`).
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from companion.gamekit.ending import best_total
from companion.gamekit.game import Ruling, Seat
from companion.gamekit.parts import texts_of
from companion.language.facts import N_
from companion.language.screen_language import load
from companion.language.wording import Language, say
from companion.people.past_games import FoldedEvening, PastGame, seats_in
from companion.people.persons import People
from companion.people.statistics import Record, broken_records, counted, streaks
from companion.session.played_game import PlayedGame

RARE_GAMES = 4
"""A ruling can be called rare when the game was played this often."""
RARE_SHARE = 0.25
"""A rare ruling was made in at most this share of the games."""
ROW = 3
"""From so many victories in a row on they are mentioned."""
RECORDS = {
    "highest score": N_("Highest score so far: {value} ({names})"),
    "lowest winning score": N_("Lowest score that ever won: {value} ({names})"),
    "lowest score": N_("Lowest score so far: {value} ({names})"),
    "highest winning score": N_("Highest score that ever won: {value} ({names})"),
    "largest lead": N_("Largest lead so far: {value} ({names})"),
    "longest game": N_("Longest game so far: {value} minutes"),
    "shortest game": N_("Shortest game so far: {value} minutes"),
}


class TurningPoint(Struct, frozen=True):
    """When the winner took the lead for good."""

    seat: Seat
    kind: Literal["from the first", "in the middle", "at the last"]
    """"from the first": ahead since any player had points."""
    share: float
    """How much of the game had been played, 0 to 1."""
    changes: int
    """How often another player took the lead."""
    ruling: Ruling
    """What was ruled then: about the winner, if a ruling was."""


class GameCourse(Struct, frozen=True):
    """A finished game as it went."""

    played: PlayedGame
    turned: TurningPoint | None
    """None: the victory was shared, or the points were equal."""


def courses(evening: FoldedEvening) -> dict[str, GameCourse]:
    """The finished games of an evening, by their id (`PastGame.id`)."""
    return {
        game.id: GameCourse(played, turning_point(played))
        for game, played in zip(evening.games, evening.played, strict=True)
        if game.finished
    }


def turning_point(played: PlayedGame) -> TurningPoint | None:
    """Where the winner of a finished game took the lead and kept it."""
    if len(played.result.winners) != 1:
        return None
    (winner,) = played.result.winners
    leaders: list[Seat | None] = []
    """After each action: who is ahead alone; None if several are."""
    for action in played.played:
        totals = [score.total for score in played.game.scores(action.step.state)]
        most = best_total(totals, played.game.lowest_wins)
        best = [seat for seat, total in enumerate(totals) if total == most]
        leaders.append(best[0] if len(best) == 1 else None)
    if not leaders or leaders[-1] != winner:
        return None  # what breaks a tie decided
    since = max((at for at, leader in enumerate(leaders) if leader != winner), default=-1) + 1
    ahead = [leader for leader in leaders if leader is not None]
    changes = sum(one != other for one, other in pairwise(ahead))
    kind: Literal["from the first", "in the middle", "at the last"] = "in the middle"
    if since == len(leaders) - 1:
        kind = "at the last"
    elif not changes:
        kind = "from the first"
    rulings = played.played[since].rulings
    about = [ruling for ruling in rulings if winner in seats_in(ruling.facts.get("seat", ruling.facts.get("seats")))]
    return TurningPoint(winner, kind, (since + 1) / len(leaders), changes, (about or rulings)[0])


def rarest(played: PlayedGame, past: Sequence[PastGame]) -> tuple[Ruling, int, int] | None:
    """The ruling of a game that was seen in the fewest games; in how many, and of how many. None if none was rare."""
    alike = [set(game.rulings) for game in past if game.game == played.game.name and game.finished]
    if len(alike) < RARE_GAMES:
        return None
    rulings = {ruling.what: ruling for action in played.played for ruling in action.rulings}
    found = [(sum(what in each for each in alike), what) for what in rulings]
    times, what = min(found, default=(len(alike), ""))
    return (rulings[what], times, len(alike)) if 0 < times <= RARE_SHARE * len(alike) else None


# --- In words -------------------------------------------------------------------------------------------------


def recap_lines(
    game: PastGame, course: GameCourse | None, past: Sequence[PastGame], people: People, language: Language
) -> Iterator[str]:
    """What was special about a finished game, a sentence each. `past`: all games up to this one."""
    if course is not None and course.turned is not None:
        yield from _turned(course, game, people, language)
    yield from _records(game, past, people, language)
    if course is not None and (rare := rarest(course.played, past)):
        _ = language.text
        ruling, times, games = rare
        said = _said(ruling, course.played, game, people, language)
        yield _("A rare ruling, made in {times} of {games} games: {said}", times=times, games=games, said=said)


def _turned(course: GameCourse, game: PastGame, people: People, language: Language) -> Iterator[str]:
    _, turned = language.text, course.turned
    assert turned is not None
    name = names_at(game, people)[turned.seat]
    match turned.kind:
        case "from the first":
            yield _("{name} led from the first point to the last.", name=name)
        case "at the last":
            yield _("{name} took the lead only with the last move.", name=name)
        case "in the middle":
            early, late = turned.share < 1 / 3, turned.share > 2 / 3
            when = _("early") if early else _("late in the game") if late else _("half-way through")
            said = _said(turned.ruling, course.played, game, people, language)
            yield _("{name} took the lead {when}, and kept it: {said}", name=name, when=when, said=said)
    if turned.changes > 1:
        yield _("The lead changed hands {count:time|times}.", count=turned.changes)


def _said(ruling: Ruling, played: PlayedGame, game: PastGame, people: People, language: Language) -> str:
    """A ruling in the game's own words."""
    words = load(language.code, texts_of(played.game.name).folder)
    naming = partial(played.game.word, played.setup.box)
    return say(ruling, played.game.sentences, names_at(game, people), words, naming)


def names_at(game: PastGame, people: People) -> list[str]:
    """What the players of a game are called today."""
    return [seat.name if seat.simulated else people.who(game.evening, seat.name).name for seat in game.seats]


def _records(game: PastGame, past: Sequence[PastGame], people: People, language: Language) -> Iterator[str]:
    """Records that this game broke, and victories in a row."""
    _ = language.text
    so_far = counted(past, people)
    new = next((each for each in so_far if each.past.id == game.id), None)
    if new is None:
        return
    yield from (record_line(record, language) for record in broken_records(so_far, new))
    for person in new.winners:
        row, _longest = streaks([each.share(person) > 0 for each in so_far if person in each.people])
        if row >= ROW:
            yield _("{name} has won {count} games in a row.", name=person.name, count=row)


def record_line(record: Record, language: Language) -> str:
    """A record in words."""
    value = record.value / 60 if "game" in record.what else record.value
    names = language.listed([person.name for person in record.people])
    return language.text(RECORDS[record.what], value=round(value), names=names)
