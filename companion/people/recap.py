"""What was special about an evening: who took the lead when, its rarest ruling, records and victories in a row.

All of it comes from a folded journal, and from the results of all games before (`past_games`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Literal

from msgspec import Struct

from companion.gamekit.ending import Contender, broken_tie, leader, shared_victory, sides, strengths, teams_of
from companion.gamekit.game import Game, Part, Ruling, Score
from companion.gamekit.parts import texts_of
from companion.language.facts import N_
from companion.language.screen_language import load
from companion.language.wording import Language, numeral, say
from companion.people.past_games import FoldedEvening, PastGame, seats_in
from companion.people.persons import People
from companion.people.statistics import Record, broken_records, counted, streaks
from companion.session.actions import CountedAction
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


class LastingLead(Struct, frozen=True):
    """When the winner took the lead for good."""

    side: Contender
    """The player or team that won."""
    kind: Literal["from the first", "in the middle", "at the last"]
    """"from the first": ahead since any player had points."""
    share: float
    """How much of the game had been played, 0 to 1."""
    changes: int
    """How often another player took the lead."""
    rival: Contender
    """Who had led until then, or was the best of the others."""
    own: int
    """The winner's points after it."""
    theirs: int
    """The rival's."""
    fell_back: bool
    """The winner gained nothing: the rival lost points."""
    reason: Ruling
    """The part of a score that changed most, or else what was ruled; "from the first": what brought most points."""


class GameCourse(Struct, frozen=True):
    """A finished game as it went."""

    played: PlayedGame
    lead: LastingLead | None
    """None: the victory was shared, or the points were equal."""


def courses(evening: FoldedEvening) -> dict[str, GameCourse]:
    """The finished games of an evening, by their id (`PastGame.id`)."""
    return {
        game.id: GameCourse(played, lasting_lead(played))
        for game, played in zip(evening.games, evening.played, strict=True)
        if game.finished
    }


def lasting_lead(played: PlayedGame) -> LastingLead | None:
    """Where the winner of a finished game took the lead and kept it."""
    game, actions = played.game, list(played.played)
    teams, fewest = teams_of(game, len(played.header.players)), game.lowest_wins
    standings = [[score.total for score in game.scores(action.step.state)] for action in actions]
    leaders = [leader(totals, teams, fewest) for totals in standings]
    if not leaders or leaders[-1] is None or leaders[-1] != played.result.winners:
        return None  # what breaks a tie decided, or all play together
    won = leaders[-1]
    since = max((at for at, each in enumerate(leaders) if each != won), default=-1) + 1
    ahead = [each for each in leaders if each is not None]
    changes = sum(one != other for one, other in pairwise(ahead))
    kind: Literal["from the first", "in the middle", "at the last"] = "in the middle"
    if since == len(leaders) - 1:
        kind = "at the last"
    elif not changes:
        kind = "from the first"
    before, totals = [score.total for score in game.scores(actions[since].before)], standings[since]
    others = [side for side in sides(teams, len(totals)) if side != won]
    fell_back = totals[won[0]] == before[won[0]]
    rival = leaders[since - 1] if since else None
    if rival is None:
        rival = max(others, key=lambda side: strengths(totals, fewest)[side[0]])
    if fell_back:
        lost = strengths([was - now for was, now in zip(before, totals, strict=True)], fewest)
        rival = max(others, key=lambda side: lost[side[0]])
    reason = _reason(actions[since], game, rival if fell_back else won)
    if kind == "from the first":
        reason = _most_points(game.scores(played.state), won, fewest) or reason
    share = (since + 1) / len(leaders)
    return LastingLead(won, kind, share, changes, rival, totals[won[0]], totals[rival[0]], fell_back, reason)


def _most_points(scores: Sequence[Score], won: Contender, fewest: bool) -> Ruling | None:
    """What brought the winner most, of all that not every player has."""
    shared = set.intersection(*({(part.for_, part.points) for part in score.parts} for score in scores))
    return _largest_part([part for part in scores[won[0]].parts if (part.for_, part.points) not in shared], (), fewest)


def _reason(action: CountedAction, game: Game[Any, Any], side: Contender) -> Ruling:
    """The part of this side's score that changed most with an action; else what was ruled, about them if possible."""
    before, after = (game.scores(state)[side[0]].parts for state in (action.before, action.step.state))
    about = [each for each in action.rulings if side[0] in seats_in(each.facts.get("seat", each.facts.get("seats")))]
    return _largest_part(after, before, game.lowest_wins) or (about or action.rulings)[0]


def _largest_part(parts: Sequence[Part], before: Sequence[Part], fewest: bool) -> Ruling | None:
    """The newest part of the kind that changed most: for the better, or else for the worse."""
    changes: Counter[str] = Counter()
    for part in parts:
        changes[part.for_] += -part.points if fewest else part.points
    for part in before:
        changes[part.for_] -= -part.points if fewest else part.points
    new = [part for part in parts if part not in before and changes[part.for_]]
    best = max(new, key=lambda part: (changes[part.for_] > 0, abs(changes[part.for_])), default=None)
    return Ruling(best.rule, best.what, best.facts) if best else None


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
    if course is not None:
        yield from (_led if course.lead else _level)(course, game, people, language)
    yield from _records(game, past, people, language)
    if course is not None and (rare := rarest(course.played, past)):
        _ = language.text
        ruling, times, games = rare
        said = _said(ruling, course.played, game, people, language)
        yield _("A rare ruling, made in {times} of {games} games: {said}", times=times, games=games, said=said)


def _led(course: GameCourse, game: PastGame, people: People, language: Language) -> Iterator[str]:
    _, lead = language.text, course.lead
    assert lead is not None
    names = names_at(game, people)

    def called(side: Contender) -> str:
        named = [names[seat] for seat in side]
        return named[0] if len(named) == 1 else _("Team {names}", names=" & ".join(named))

    facts = {
        "name": called(lead.side),
        "rival": called(lead.rival),
        "own": numeral(lead.own),
        "theirs": numeral(lead.theirs),
    }
    said = _said(lead.reason, course.played, game, people, language)
    if lead.kind == "from the first":
        yield _("{name} led from the first point to the last.", name=facts["name"])
        yield _("What counted most: {said}", said=said)
        return
    if lead.kind == "at the last":
        yield _("Only the last move put {name} ahead of {rival}, {own} to {theirs}.", **facts)
    elif lead.fell_back:
        yield _("When {rival} fell back, {name} took the lead, {own} to {theirs}, and kept it.", **facts)
    elif lead.share < 1 / 3:
        yield _("Early on, {name} passed {rival}, {own} to {theirs}, and stayed ahead.", **facts)
    elif lead.share > 2 / 3:
        yield _("Late in the game, {name} passed {rival}, {own} to {theirs}, and stayed ahead.", **facts)
    else:
        yield _("Half-way through, {name} passed {rival}, {own} to {theirs}, and stayed ahead.", **facts)
    yield _("What made the difference: {said}", said=said)
    if lead.changes > 1:
        yield _("The lead changed hands {count:time|times}.", count=lead.changes)


def _level(course: GameCourse, game: PastGame, people: People, language: Language) -> Iterator[str]:
    """Why a game ended as it did though the best had equal points."""
    _, played = language.text, course.played
    ruling = broken_tie(played.game, played.state) or shared_victory(played.game, played.state)
    if ruling is not None:
        said = _said(ruling, played, game, people, language)
        yield _("In the end the best had equal points: {said}", said=said)


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
